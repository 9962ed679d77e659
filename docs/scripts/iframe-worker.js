// Search without a server: a page opened from the disk may not start a worker, but a hidden frame may run its script.
"use strict";

if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(address) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      const head = (document.body || document.documentElement);
      head.append(frame);
      this.inside = frame.contentWindow;
      this.ready = new Promise((begin) => {
        const scope = this.inside;
        scope.importScripts = (...scripts) => scripts.reduce((before, script) => before.then(
          () => new Promise((next) => this.run(script, next))), Promise.resolve());
        scope.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
        this.run(address, begin);
      });
    }

    run(address, then) {
      const script = this.inside.document.createElement("script");
      script.onload = then;
      script.src = address;
      this.inside.document.head.append(script);
    }

    postMessage(data) {
      this.ready.then(() => this.inside.dispatchEvent(new MessageEvent("message", { data })));
    }

    terminate() { this.inside.frameElement.remove(); }
  };
}
