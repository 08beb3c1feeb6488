// All rules, but for those that are relaxed here.
export default {
  config: {
    default: true,
    // A paragraph is a line: readers and programs break it where they like.
    MD013: false,
  },
};
