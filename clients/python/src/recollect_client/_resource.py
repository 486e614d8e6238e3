"""The base of the groups of operations."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._async_transport import AsyncTransport
    from ._transport import Transport


class Resource:
    """Operations that are called."""

    def __init__(self, client: Transport) -> None:
        self._client = client


class AsyncResource:
    """Operations that are awaited."""

    def __init__(self, client: AsyncTransport) -> None:
        self._client = client
