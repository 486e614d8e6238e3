"""Version of the client, that of the service that it was made for."""

VERSION = "0.1.0"
