<?php

declare(strict_types=1);

namespace Sluice;

/**
 * One request and its answer by HTTP/1.1 (RFC 9112), over a connection of its own. PHP's `http://` streams would do it
 * too, but they take an answer that was cut off for a whole one, limit only the time of each read, and are often switched
 * off (`allow_url_fopen`).
 *
 * @internal
 */
final class Connection
{
    private const LARGEST_HEAD_BYTES = 64 * 1024;
    private const LARGEST_BODY_BYTES = 32 * 1024 * 1024;
    private const MOST_INTERIM_ANSWERS = 10;
    private const CHUNK_BYTES = 64 * 1024;

    private string $buffer = '';

    /** @param resource $socket */
    private function __construct(private $socket, private readonly float $deadline)
    {
    }

    /** @throws Broken when no complete answer arrived in time */
    public static function exchange(BaseUrl $base, #[\SensitiveParameter] string $request, float $timeout): Reply
    {
        $deadline = self::now() + $timeout;
        $warning = '';
        // Warnings would be shown or logged by the shop, some of them with the request.
        set_error_handler(static function (int $_, string $text) use (&$warning): bool {
            $warning = $warning === '' ? preg_replace('/^\w+\(\): /', '', $text) : $warning;
            return true;
        });
        $socket = false;
        try {
            $context = stream_context_create(['ssl' => ['peer_name' => $base->host]]);
            $socket = stream_socket_client($base->socket, $_, $reason, $timeout, STREAM_CLIENT_CONNECT, $context);
            if ($socket === false) {
                throw new Broken($reason === '' ? $warning : $reason, self::now() >= $deadline);
            }
            $connection = new self($socket, $deadline);
            $connection->write($request);
            return $connection->read();
        } finally {
            if ($socket !== false) {
                fclose($socket);
            }
            restore_error_handler();
        }
    }

    private function write(#[\SensitiveParameter] string $bytes): void
    {
        while ($bytes !== '') {
            $this->limit();
            $written = fwrite($this->socket, $bytes);
            if ($written === false || $written === 0) {
                throw new Broken('the connection was closed', $this->hasTimedOut());
            }
            $bytes = substr($bytes, $written);
        }
    }

    private function read(): Reply
    {
        for ($interim = 0; $interim <= self::MOST_INTERIM_ANSWERS; $interim += 1) {
            $lines = explode("\r\n", $this->until("\r\n\r\n"));
            if (preg_match('#^HTTP/1\.[01] ([1-5][0-9]{2})( |$)#', array_shift($lines), $found) !== 1) {
                throw new Broken('the answer is not HTTP');
            }
            $status = (int) $found[1];
            if ($status >= 200) {
                $headers = [];
                foreach ($lines as $line) {
                    [$name, $value] = explode(':', $line, 2) + [1 => ''];
                    $headers[strtolower($name)] = trim($value);
                }
                return new Reply($status, $headers, $this->body($status, $headers));
            }
        }
        throw new Broken('the server sends interim answers only');
    }

    /** @param array<string, string> $headers */
    private function body(int $status, array $headers): string
    {
        if ($status === 204 || $status === 304) {
            return '';
        }
        if (strtolower($headers['transfer-encoding'] ?? '') === 'chunked') {
            return $this->chunked();
        }
        $length = $headers['content-length'] ?? null;
        if ($length !== null) {
            if (preg_match('/^[0-9]{1,10}$/D', $length) !== 1) {
                throw new Broken('the length of the answer is not a number');
            }
            return $this->bytes((int) $length);
        }
        while ($this->fill()) {
            $this->within(strlen($this->buffer));
        }
        return $this->buffer;
    }

    private function chunked(): string
    {
        $body = '';
        while (true) {
            $size = strtok($this->until("\r\n"), ';');
            if ($size === false || preg_match('/^[0-9A-Fa-f]{1,8}\s*$/D', $size) !== 1) {
                throw new Broken('the answer is not HTTP');
            }
            $length = (int) hexdec(trim($size));
            if ($length === 0) {
                return $body;
            }
            $this->within(strlen($body) + $length);
            $body .= $this->bytes($length);
            if ($this->bytes(2) !== "\r\n") {
                throw new Broken('the answer is not HTTP');
            }
        }
    }

    /** What comes before the mark, which is taken away too. */
    private function until(string $mark): string
    {
        while (($at = strpos($this->buffer, $mark)) === false) {
            if (strlen($this->buffer) > self::LARGEST_HEAD_BYTES || !$this->fill()) {
                throw new Broken('the answer was cut off');
            }
        }
        $text = substr($this->buffer, 0, $at);
        $this->buffer = substr($this->buffer, $at + strlen($mark));
        return $text;
    }

    private function bytes(int $length): string
    {
        $this->within($length);
        while (strlen($this->buffer) < $length) {
            if (!$this->fill()) {
                throw new Broken('the answer was cut off');
            }
        }
        $bytes = substr($this->buffer, 0, $length);
        $this->buffer = substr($this->buffer, $length);
        return $bytes;
    }

    /** Waits for more bytes; false at the end. */
    private function fill(): bool
    {
        $this->limit();
        $bytes = fread($this->socket, self::CHUNK_BYTES);
        if ($bytes === false || $bytes === '') {
            if ($this->hasTimedOut()) {
                throw new Broken('', true);
            }
            return false;
        }
        $this->buffer .= $bytes;
        return true;
    }

    /** Every read and write ends at the deadline, so that a server which sends a byte now and then cannot hold us up. */
    private function limit(): void
    {
        $left = $this->deadline - self::now();
        if ($left <= 0) {
            throw new Broken('', true);
        }
        stream_set_timeout($this->socket, (int) $left, (int) (($left - (int) $left) * 1_000_000));
    }

    private function hasTimedOut(): bool
    {
        return stream_get_meta_data($this->socket)['timed_out'];
    }

    private function within(int $length): void
    {
        if ($length > self::LARGEST_BODY_BYTES) {
            throw new Broken('the answer is longer than ' . self::LARGEST_BODY_BYTES . ' bytes');
        }
    }

    private static function now(): float
    {
        return hrtime(true) / 1e9;
    }
}
