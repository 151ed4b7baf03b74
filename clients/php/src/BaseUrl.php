<?php

declare(strict_types=1);

namespace Sluice;

/** Where the service is. */
final class BaseUrl
{
    private function __construct(
        public readonly string $text,
        /** As `stream_socket_client` takes it. */
        public readonly string $socket,
        public readonly string $host,
        /** For the header `Host`. */
        public readonly string $authority,
        public readonly string $path,
    ) {
    }

    public static function read(#[\SensitiveParameter] string $text): self
    {
        $url = preg_match('/[\s?#@\\\\]|[^\x21-\x7e]/', $text) === 1 ? false : parse_url($text);
        $scheme = strtolower($url['scheme'] ?? '');
        $host = $url['host'] ?? '';
        if ($url === false || !in_array($scheme, ['http', 'https'], true) || $host === '') {
            // The text itself stays out of the message: it may contain a password.
            throw new \InvalidArgumentException(
                'The base URL is an http or https URL such as https://pay.example.com/api, without user, query or fragment.'
            );
        }
        $port = $url['port'] ?? ($scheme === 'https' ? 443 : 80);
        return new self(
            rtrim($text, '/'),
            ($scheme === 'https' ? 'tls' : 'tcp') . "://$host:$port",
            trim($host, '[]'),
            isset($url['port']) ? "$host:$port" : $host,
            rtrim($url['path'] ?? '', '/'),
        );
    }
}
