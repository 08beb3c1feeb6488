// Names in addresses, made of words. The script of Django would make `dja-nng` of `Đà Nẵng`.

export const slugOf = (text, length) =>
  text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replace(/đ/gi, "d")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, length)
    .replace(/^-+|-+$/g, "");
