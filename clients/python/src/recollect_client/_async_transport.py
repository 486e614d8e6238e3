"""Sends requests that are awaited."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from typing import Any, AsyncIterator, Type, TypeVar, Union

import httpx

from ._model import Model
from ._request import Request, Retries, error_of, no_response, quote
from ._stream import AnswerEvent, DoneEvent, EventReader, interrupted
from ._transport import ENDED, WAIT_S, require_success
from .models import Job

A = TypeVar("A", bound=Model)
B = TypeVar("B", bound=Model)


class AsyncTransport:
    """Sends requests with retries, and reads their answers."""

    def __init__(
        self, http: httpx.AsyncClient, *, base_url: str, retries: int, timeout_s: float
    ) -> None:
        self.http = http
        self.base_url = base_url
        self.retries = retries
        self.timeout_s = timeout_s

    async def send(self, request: Request, *, is_streamed: bool = False) -> httpx.Response:
        """A successful response. A streamed one has to be closed."""
        retries = Retries(request, self.retries, self.timeout_s)
        while True:
            try:
                response = await self._send_once(request, is_streamed)
            except httpx.HTTPError as cause:
                await asyncio.sleep(retries.delay_after(no_response(self.base_url, cause), None))
                continue
            if response.is_success:
                return response
            error, retry_after_s = error_of(response)
            if retries.is_deleted(error):
                return httpx.Response(204)
            await asyncio.sleep(retries.delay_after(error, retry_after_s))

    async def _send_once(self, request: Request, is_streamed: bool) -> httpx.Response:
        accept = {"Accept": "text/event-stream"} if is_streamed else {}
        with ExitStack() as files:
            content: Any = request.content(files)
            headers = {**request.headers(), **accept}
            built = self.http.build_request(
                request.method, request.path, headers=headers, **content
            )
            response = await self.http.send(built, stream=True)
        if not is_streamed or not response.is_success:
            await response.aread()
        return response

    async def call(self, request: Request, answer: Type[A]) -> A:
        return answer.model_validate_json((await self.send(request)).content)

    async def call_either(
        self, request: Request, answer: Type[A], accepted: Type[B]
    ) -> Union[A, B]:
        response = await self.send(request)
        kind: Type[Union[A, B]] = accepted if response.status_code == 202 else answer
        return kind.model_validate_json(response.content)

    async def send_only(self, request: Request) -> None:
        await self.send(request)

    async def read_text(self, request: Request) -> str:
        response = await self.send(request)
        response.encoding = "utf-8"
        return response.text

    async def read_bytes(self, request: Request) -> bytes:
        return (await self.send(request)).content

    async def stream(self, request: Request, answer: Type[A]) -> AsyncIterator[AnswerEvent[A]]:
        """Events up to the last one, which has the whole answer."""
        response = await self.send(request, is_streamed=True)
        reader = EventReader(answer)
        try:
            async for line in response.aiter_lines():
                event = reader.feed(line)
                if event is not None:
                    yield event
                if isinstance(event, DoneEvent):
                    return
        except httpx.HTTPError as cause:
            raise interrupted() from cause
        finally:
            await response.aclose()
        raise interrupted()

    async def settle(self, job_id: str) -> Job:
        """The ended job. Raises :class:`JobFailedError` if it failed."""
        while True:
            job = await self.call(
                Request("GET", f"/v1/jobs/{quote(job_id)}", query={"wait": WAIT_S}), Job
            )
            if job.status in ENDED:
                return require_success(job)
