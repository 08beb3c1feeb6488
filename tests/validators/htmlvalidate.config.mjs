// The whole of the recommended rules, of those for accessibility and of those for documents.
export default {
  root: true,
  extends: ["html-validate:recommended", "html-validate:a11y", "html-validate:document"],
  rules: {
    // Templates leave blanks at the ends of lines; compressed they cost nothing.
    "no-trailing-whitespace": "off",
    // Every file comes from the page's own origin, which could change the digest as well.
    "require-sri": ["error", { target: "crossorigin" }],
  },
};
