"""The clients: one to call, one to await."""

from __future__ import annotations

import os
import time
from types import TracebackType
from typing import Callable, Dict, Optional, Type, Union
from urllib.parse import urlsplit

import httpx

from . import _async_resources as awaited
from . import _resources as called
from ._async_transport import AsyncTransport
from ._errors import ConnectionFailedError, InvalidRequestError
from ._request import Request, quote
from ._transport import ENDED, WAIT_S, Transport
from ._version import VERSION
from .models import Job

DEFAULT_URL = "http://127.0.0.1:8080"
DEFAULT_TIMEOUT_S = 600.0
CONNECT_TIMEOUT_S = 10.0

OnProgress = Callable[[Job], None]


class Memories(called.Memories):
    """Operations of memories, with the export to a file."""

    def export(self, memory_id: str, path: Union[str, "os.PathLike[str]"]) -> None:
        """Exports a memory to an archive. A broken export leaves no file."""
        request = Request("GET", f"/v1/memories/{quote(memory_id)}/export")
        response = self._client.send(request, is_streamed=True)
        part = f"{os.fspath(path)}.part"
        try:
            with open(part, "wb") as file:
                for piece in response.iter_bytes():
                    file.write(piece)
            os.replace(part, path)
        except httpx.HTTPError as cause:
            raise _broken_export() from cause
        finally:
            response.close()
            _remove(part)


class AsyncMemories(awaited.AsyncMemories):
    """Operations of memories, with the export to a file."""

    async def export(self, memory_id: str, path: Union[str, "os.PathLike[str]"]) -> None:
        """Exports a memory to an archive. A broken export leaves no file."""
        request = Request("GET", f"/v1/memories/{quote(memory_id)}/export")
        response = await self._client.send(request, is_streamed=True)
        part = f"{os.fspath(path)}.part"
        try:
            with open(part, "wb") as file:
                async for piece in response.aiter_bytes():
                    file.write(piece)
            os.replace(part, path)
        except httpx.HTTPError as cause:
            raise _broken_export() from cause
        finally:
            await response.aclose()
            _remove(part)


class Jobs(called.Jobs):
    """Operations of jobs, with waiting."""

    def wait(
        self,
        job_id: str,
        *,
        timeout_s: Optional[float] = None,
        on_progress: Optional[OnProgress] = None,
    ) -> Job:
        """Waits for the end of a job: ``completed``, ``partial`` or ``failed``.

        Args:
            job_id: The job, such as ``job_id`` of an accepted document.
            timeout_s: Raises TimeoutError after this time; the job goes on.
            on_progress: Receives every state.
        """
        until = None if timeout_s is None else time.monotonic() + timeout_s
        while True:
            job = self.get(job_id, wait=_seconds_to_wait(until, on_progress))
            if on_progress is not None:
                on_progress(job)
            if job.status in ENDED:
                return job
            _require_time(job, until)


class AsyncJobs(awaited.AsyncJobs):
    """Operations of jobs, with waiting."""

    async def wait(
        self,
        job_id: str,
        *,
        timeout_s: Optional[float] = None,
        on_progress: Optional[OnProgress] = None,
    ) -> Job:
        """Waits for the end of a job: ``completed``, ``partial`` or ``failed``.

        Args:
            job_id: The job, such as ``job_id`` of an accepted document.
            timeout_s: Raises TimeoutError after this time; the job goes on.
            on_progress: Receives every state.
        """
        until = None if timeout_s is None else time.monotonic() + timeout_s
        while True:
            job = await self.get(job_id, wait=_seconds_to_wait(until, on_progress))
            if on_progress is not None:
                on_progress(job)
            if job.status in ENDED:
                return job
            _require_time(job, until)


class Recollect(called.Queries):
    """A client to call.

    Requests that fail with 429, 5xx or without an answer are repeated. A repeated POST has the same
    ``Idempotency-Key``, so that nothing is done twice. Every method raises a
    :class:`RecollectError`.

        with Recollect() as client:
            memory = client.memories.create("Handbook")
            client.documents.add_file(memory.id, "handbook.pdf", wait=True)
            print(client.ask(memory.id, "When are refunds paid?").answer)
    """

    def __init__(
        self,
        base_url: Optional[str] = None,
        api_key: Optional[str] = None,
        *,
        timeout_s: float = DEFAULT_TIMEOUT_S,
        retries: int = 2,
        http_client: Optional[httpx.Client] = None,
    ) -> None:
        """Opens no connection yet.

        Args:
            base_url: Address of the service. Default: RECOLLECT_URL, or this machine.
            api_key: API key. Default: RECOLLECT_API_KEY.
            timeout_s: Time to wait for an answer.
            retries: Further attempts after a transient error.
            http_client: Replaces the connection, such as one with a proxy. It keeps its timeouts.
        """
        url = _url_of(base_url)
        http = http_client or httpx.Client(timeout=_timeouts(timeout_s))
        _prepare(http, url, api_key)
        transport = Transport(http, base_url=url, retries=retries, timeout_s=timeout_s)
        super().__init__(transport)
        self.memories = Memories(transport)
        self.documents = called.Documents(transport)
        self.corrections = called.Corrections(transport)
        self.jobs = Jobs(transport)
        self.projects = called.Projects(transport)
        self.keys = called.Keys(transport)
        self.organizations = called.Organizations(transport)
        self.sources = called.Sources(transport)
        self.webhooks = called.Webhooks(transport)

    def close(self) -> None:
        """Closes the connections."""
        self._client.http.close()

    def __enter__(self) -> Recollect:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self.close()


class AsyncRecollect(awaited.AsyncQueries):
    """A client to await. Its methods are those of :class:`Recollect`.

    async with AsyncRecollect() as client:
        async for memory in client.memories.list():
            print(memory.name)
    """

    def __init__(
        self,
        base_url: Optional[str] = None,
        api_key: Optional[str] = None,
        *,
        timeout_s: float = DEFAULT_TIMEOUT_S,
        retries: int = 2,
        http_client: Optional[httpx.AsyncClient] = None,
    ) -> None:
        """Opens no connection yet. The arguments are those of :class:`Recollect`."""
        url = _url_of(base_url)
        http = http_client or httpx.AsyncClient(timeout=_timeouts(timeout_s))
        _prepare(http, url, api_key)
        transport = AsyncTransport(http, base_url=url, retries=retries, timeout_s=timeout_s)
        super().__init__(transport)
        self.memories = AsyncMemories(transport)
        self.documents = awaited.AsyncDocuments(transport)
        self.corrections = awaited.AsyncCorrections(transport)
        self.jobs = AsyncJobs(transport)
        self.projects = awaited.AsyncProjects(transport)
        self.keys = awaited.AsyncKeys(transport)
        self.organizations = awaited.AsyncOrganizations(transport)
        self.sources = awaited.AsyncSources(transport)
        self.webhooks = awaited.AsyncWebhooks(transport)

    async def close(self) -> None:
        """Closes the connections."""
        await self._client.http.aclose()

    async def __aenter__(self) -> AsyncRecollect:
        return self

    async def __aexit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        await self.close()


def _url_of(base_url: Optional[str]) -> str:
    url = (base_url or os.environ.get("RECOLLECT_URL") or DEFAULT_URL).rstrip("/")
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise InvalidRequestError(
            f"The base_url {url!r} is not an HTTP URL.",
            code="unsendable",
            status=0,
            remedy=f"Set base_url to a URL such as {DEFAULT_URL}.",
        )
    return url


def _headers_of(api_key: Optional[str]) -> Dict[str, str]:
    key = (api_key or os.environ.get("RECOLLECT_API_KEY") or "").strip()
    if not (key.isascii() and (key.isprintable() or key == "")):
        raise InvalidRequestError(
            "The api_key contains characters that are not allowed in a header.",
            code="unsendable",
            status=0,
            remedy="Copy the key again, without quotes or other extra characters.",
        )
    return {"Authorization": f"Bearer {key}"} if key else {}


def _prepare(
    http: Union[httpx.Client, httpx.AsyncClient], url: str, api_key: Optional[str]
) -> None:
    http.base_url = httpx.URL(url)
    http.headers.update({"Accept": "application/json", "User-Agent": f"recollect-python/{VERSION}"})
    http.headers.update(_headers_of(api_key))


def _timeouts(timeout_s: float) -> httpx.Timeout:
    return httpx.Timeout(timeout_s, connect=min(timeout_s, CONNECT_TIMEOUT_S))


def _seconds_to_wait(until: Optional[float], on_progress: Optional[OnProgress]) -> int:
    longest = WAIT_S if on_progress is None else 1
    return longest if until is None else max(0, min(longest, int(until - time.monotonic())))


def _require_time(job: Job, until: Optional[float]) -> None:
    if until is not None and time.monotonic() >= until:
        raise TimeoutError(
            f"The job {job.id} has not ended ({job.status}, {job.progress} %); it goes on."
        )


def _broken_export() -> ConnectionFailedError:
    message = "The export was interrupted."
    return ConnectionFailedError(
        message, code="broken_off", status=0, remedy="Export the memory again."
    )


def _remove(path: str) -> None:
    try:
        os.remove(path)
    except FileNotFoundError:
        pass
