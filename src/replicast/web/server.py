"""The server, and how it ends: in order when asked once, at once when asked again."""

import os
from types import FrameType

import uvicorn


class Server(uvicorn.Server):
    """A server that a second Ctrl-C ends at once, without the tracebacks of what is cut short.

    Its workers end by themselves when nobody is there to ask them.
    """

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End in order, or at once."""
        if self.should_exit:
            os._exit(128 + sig)
        super().handle_exit(sig, frame)
