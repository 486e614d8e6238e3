"""Objects in requests.

Printed from the OpenAPI document by `npm run check -- --write`; do not edit.
"""

from __future__ import annotations

from typing import Any, Literal, Mapping, Optional, Sequence, Union

from typing_extensions import Required, TypedDict


class ChunkingParam(TypedDict, total=False):
    """Sizes of the chunks of all documents, which cannot be changed later. Without it, chunks have
    about 1,000 characters, tables and short texts up to 2,000.
    """

    maxCharacters: Required[int]
    """Maximum length of a chunk, in characters."""
    overlap: int
    """Maximum length of the whole sentences that a chunk of prose repeats from the end of the one
    before, in characters. At most half of maxCharacters.
    """


class DocumentParam(TypedDict, total=False):
    title: str
    """Title of the document."""
    text: Required[str]
    """Text of the document."""
    tags: Sequence[str]
    """Tags of the document. Searches and lists can filter by tag."""
    metadata: Mapping[str, Optional[Union[str, int, float, bool]]]
    """Key-value pairs for the document. Values are strings, numbers, booleans or null."""
    externalId: str
    """Your own identifier of the document. Adding the same externalId again replaces the document.
    """


class FilterParam(TypedDict, total=False):
    """Filter for documents and corrections. All conditions must match."""

    tags: Sequence[str]
    """Only documents with all of these tags."""
    documentIds: Sequence[str]
    """Only these documents. An empty list matches none."""
    metadata: Mapping[str, Any]
    """Conditions by metadata key: a value, or an object of operators, such as `{"year": {"$gte":
    2020}}`. Operators: `$eq`, `$ne`, `$in`, `$nin`, `$gt`, `$gte`, `$lt`, `$lte`, `$exists`.
    Beside keys, `$and` and `$or` take an array of such objects, `$not` an object. Numbers
    compare with numbers, ISO 8601 dates with dates, other strings with strings. `$ne`, `$nin`
    and `$not` also match documents without the key.
    """
    createdAfter: str
    """Only documents added after this time. ISO 8601 date or time, in UTC without a time zone."""
    createdBefore: str
    """Only documents added before this time. ISO 8601 date or time, in UTC without a time zone."""
    sourceType: Literal["file", "text", "url", "ocr", "correction"]
    """Only documents with this source."""


class KnownQuestionParam(TypedDict, total=False):
    """A question with known answers."""

    query: Required[str]
    """Query of the question."""
    documentIds: Sequence[str]
    """Documents or corrections that answer the question. Give at least one documentId or
    externalId.
    """
    externalIds: Sequence[str]
    """Documents that answer the question, by externalId. An externalId stays valid when a document
    is replaced.
    """
    grades: Mapping[str, int]
    """Relevance grade per document, keyed by the documentId or externalId given above. Defaults to
    1. Only nDCG uses grades.
    """


class MessageParam(TypedDict, total=False):
    """A message of a conversation."""

    role: Required[Literal["user", "assistant"]]
    """Author of the message."""
    content: Required[str]
    """Text of the message."""


class SectionFieldParam(TypedDict, total=False):
    key: Required[str]
    """Identifier of the field, unique within the section."""
    label: Required[str]
    """Label to search for."""
    data_type: str
    """Type of the value: date, currency, number, integer, percent, boolean, email, phone, url or
    list. Any other type is treated as a string.
    """


class SectionParam(TypedDict, total=False):
    id: Required[str]
    """Identifier of the section, unique within the request."""
    name: Required[str]
    """Display name of the section."""
    fields: Required[Sequence[SectionFieldParam]]
    """Fields of the section."""


class CorrectionParam(TypedDict, total=False):
    statement: Required[str]
    """Statement of the correction."""
    topics: Sequence[str]
    """Topics of the correction. Searches match them like the statement."""
    boost: float
    """Weight of the correction relative to other corrections, above 0 and at most 10."""
    expiresAt: str
    """Time in the future from which searches ignore the correction. Without it, the correction
    never expires.
    """


class WebsiteParam(TypedDict, total=False):
    """Settings of a website."""

    startUrls: Sequence[str]
    """URLs at which each run starts. May be empty if there is a sitemap."""
    sitemapUrl: Optional[str]
    """Sitemap or sitemap index with further URLs. Null: no sitemap is read."""
    prefixes: Sequence[str]
    """Only URLs that begin with one of these are read. Empty: the folders of the start URLs, or the
    host of the sitemap.
    """
    maxDepth: int
    """Maximum number of links from a start URL to a page. 0: only the given URLs."""
    maxPages: int
    """Maximum number of documents of the source."""
    pauseMs: int
    """Pause between two requests, in milliseconds. A longer Crawl-delay of robots.txt is respected.
    """
    mainContent: bool
    """If true, navigation, headers, footers and sidebars of pages are left out."""


class S3CredentialsParam(TypedDict, total=False):
    """Credentials of the bucket. They are stored encrypted."""

    accessKeyId: Required[str]
    """ID of the access key."""
    secretAccessKey: Required[str]
    """The secret of the access key."""
    sessionToken: str
    """Token of a temporary access key."""


class S3Param(TypedDict, total=False):
    """Settings of a bucket. Without credentials, requests are anonymous."""

    bucket: str
    """Name of the bucket."""
    prefix: str
    """Prefix of the keys to read. Empty: the whole bucket."""
    endpoint: Optional[str]
    """Address of the store, such as https://minio.example.com. Null: AWS."""
    region: str
    """Region of the bucket."""
    pathStyle: bool
    """If true, the bucket is part of the path, not of the host name. Usual for stores other than
    AWS.
    """
    exclude: Sequence[str]
    """Patterns of files to leave out, in the syntax of .gitignore."""
    credentials: S3CredentialsParam
    """Credentials of the bucket. They are stored encrypted."""


class FolderParam(TypedDict, total=False):
    """Settings of a folder."""

    path: str
    """Absolute path of the folder on the machine of the service. It must be below
    RECOLLECT_SOURCE_FOLDERS.
    """
    exclude: Sequence[str]
    """Patterns of files to leave out, in the syntax of .gitignore."""
