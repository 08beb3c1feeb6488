using Workerd = import "/workerd/workerd.capnp";

const edge :Workerd.Config = (
  services = [
    (name = "edge", worker = (
      modules = [(name = "edge.js", esModule = embed "edge.js")],
      bindings = [(name = "SITE", service = "site")],
      compatibilityDate = "2026-10-01",
    )),
    (name = "site", external = (http = ())),
  ],
  sockets = [(name = "edge", http = (), service = "edge")],
);
