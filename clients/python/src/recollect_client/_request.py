"""A request, and what both transports need to send it."""

from __future__ import annotations

import json
import os
import random
import time
import uuid
from contextlib import ExitStack
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from pathlib import PurePath
from typing import IO, Any, Dict, Mapping, Optional, Tuple, TypeVar, Union
from urllib.parse import quote as quote_part

import httpx

from ._errors import ConnectionFailedError, RecollectError, to_error

T = TypeVar("T")

FIRST_RETRY_DELAY_S = 0.5
MAX_RETRY_DELAY_S = 30.0
"""Longest Retry-After to wait for. The caller should handle longer ones."""
PERMANENT_ERRORS = frozenset({"query_quota_exceeded", "data_damaged"})
IN_PROGRESS = "idempotency_in_progress"


class NotGiven:
    """A field that is not sent, unlike ``None``."""

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return "NOT_GIVEN"


NOT_GIVEN = NotGiven()

Upload = Union[str, "os.PathLike[str]", IO[bytes], Tuple[str, Union[bytes, IO[bytes]]]]
"""A path, an open file, or a name with bytes or an open file."""


def given(value: Optional[T]) -> Union[T, NotGiven]:
    """Leaves out ``None``, where the API has no null."""
    return NOT_GIVEN if value is None else value


def quote(part: object) -> str:
    """A value as one segment of a path."""
    return quote_part(str(part), safe="")


def _without_omitted(values: Mapping[str, Any]) -> Dict[str, Any]:
    return {name: value for name, value in values.items() if not isinstance(value, NotGiven)}


def _to_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _nothing() -> Dict[str, Any]:
    return {}


@dataclass
class Request:
    """A request of an operation. ``options`` is the field of that name in the body or form."""

    method: str
    path: str
    query: Mapping[str, Any] = field(default_factory=_nothing)
    body: Optional[Mapping[str, Any]] = None
    options: Mapping[str, Any] = field(default_factory=_nothing)
    form: Mapping[str, Any] = field(default_factory=_nothing)
    file: Optional[Upload] = None

    def __post_init__(self) -> None:
        self._key = uuid.uuid4().hex
        self._is_once = _can_be_read_once(self.file)

    def headers(self) -> Dict[str, str]:
        """The same for all attempts, so that a repeated POST does nothing twice."""
        return {"Idempotency-Key": self._key} if self.method == "POST" else {}

    @property
    def is_repeatable(self) -> bool:
        return not self._is_once

    def content(self, stack: ExitStack) -> Dict[str, Any]:
        """The arguments of httpx for one attempt; ``stack`` closes opened files."""
        query = {name: _to_text(value) for name, value in _without_omitted(self.query).items()}
        options = _without_omitted(self.options)
        if self.file is not None:
            fields = {name: _to_text(value) for name, value in _without_omitted(self.form).items()}
            # The service reads in order, and needs the fields before the file.
            data = {**fields, **({"options": json.dumps(options)} if options else {})}
            return {"params": query, "data": data, "files": {"file": self._open(self.file, stack)}}
        if self.body is None and not options:
            return {"params": query}
        body = {**_without_omitted(self.body or {}), **({"options": options} if options else {})}
        return {"params": query, "json": body}

    def _open(self, file: Upload, stack: ExitStack) -> Tuple[str, Union[bytes, IO[bytes]]]:
        if isinstance(file, (str, os.PathLike)):
            return (PurePath(file).name, stack.enter_context(open(file, "rb")))
        return file if isinstance(file, tuple) else (_name_of(file), file)


def _name_of(file: IO[bytes]) -> str:
    name = getattr(file, "name", None)
    return PurePath(name).name if isinstance(name, str) else "file"


def _can_be_read_once(file: Optional[Upload]) -> bool:
    """True for a pipe. Other files are sent from their beginning, for each attempt."""
    if file is None or isinstance(file, (str, os.PathLike)):
        return False
    content = file[1] if isinstance(file, tuple) else file
    return not isinstance(content, bytes) and not content.seekable()


class Retries:
    """Decides on further attempts of a request. Both transports use it."""

    def __init__(self, request: Request, retries: int, timeout_s: float) -> None:
        self._request = request
        self._left = retries if request.is_repeatable else 0
        self._delay_s = FIRST_RETRY_DELAY_S
        self._timeout_s = timeout_s
        self._waits_until: Optional[float] = None
        self._attempts = 0

    def delay_after(self, error: RecollectError, retry_after_s: Optional[float]) -> float:
        """Seconds until the next attempt. Raises the error if there is none."""
        self._attempts += 1
        delay_s = (
            self._delay_s * random.uniform(0.75, 1.25) if retry_after_s is None else retry_after_s
        )
        if error.code == IN_PROGRESS and self._request.is_repeatable:
            # An attempt of the same request is still running, and its answer will be replayed.
            now = time.monotonic()
            self._waits_until = self._waits_until or now + self._timeout_s
            is_patient = now + delay_s < self._waits_until
        else:
            is_patient = self._left > 0 and _is_transient(error)
            self._left -= 1
            self._delay_s *= 2
        if not is_patient or delay_s > MAX_RETRY_DELAY_S:
            raise error
        return delay_s

    def is_deleted(self, error: RecollectError) -> bool:
        """True if an earlier attempt deleted the resource, although its answer was lost."""
        return self._attempts > 0 and self._request.method == "DELETE" and error.status == 404


def _is_transient(error: RecollectError) -> bool:
    if error.code in PERMANENT_ERRORS:
        return False
    return error.status == 0 or error.status == 429 or error.status >= 500


def read_retry_after(response: httpx.Response) -> Optional[float]:
    """RFC 9110, section 10.2.3: seconds or a date."""
    value = response.headers.get("retry-after")
    if value is None:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except (TypeError, ValueError):
        return None


def no_response(base_url: str, cause: httpx.HTTPError) -> ConnectionFailedError:
    """The error of a request without a response."""
    is_late = isinstance(cause, httpx.TimeoutException) and not isinstance(
        cause, httpx.ConnectTimeout
    )
    why = "did not answer in time" if is_late else "cannot be reached"
    error = ConnectionFailedError(
        f"{base_url} {why}.",
        code="timeout" if is_late else "unreachable",
        status=0,
        remedy="Check that the service is running at this URL and that the network reaches it.",
    )
    error.__cause__ = cause
    return error


def error_of(response: httpx.Response) -> Tuple[RecollectError, Optional[float]]:
    """The error of a response that was read, and its Retry-After."""
    request_id = response.headers.get("x-request-id")
    return to_error(response.status_code, response.text, request_id), read_retry_after(response)
