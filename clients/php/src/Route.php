<?php

declare(strict_types=1);

namespace Sluice;

/** The route of an operation and its requirements. */
final class Route
{
    /** @param 'body'|'header'|'each'|null $idempotency Where its idempotency key goes; `each`: into each item of its list. */
    public function __construct(
        public readonly string $verb,
        public readonly string $path,
        public readonly bool $needsKey,
        public readonly ?string $idempotency,
    ) {
    }

    /**
     * Path and query of a call. No value can escape its place in them.
     *
     * @param array<string, mixed> $query
     */
    public function target(?string $subject, array $query): string
    {
        $path = preg_replace_callback('/\{\w+\}/', static fn (): string => self::segment($subject), $this->path);
        $pairs = [];
        foreach ($query as $name => $value) {
            if ($value !== null) {
                $pairs[] = rawurlencode((string) $name) . '=' . rawurlencode(self::text($value));
            }
        }
        return $path . ($pairs === [] ? '' : '?' . implode('&', $pairs));
    }

    private static function segment(?string $value): string
    {
        // Proxies resolve dot segments, so the call would address another resource.
        if ($value === null || in_array($value, ['', '.', '..'], true)) {
            throw new \InvalidArgumentException('The id must not be empty or consist of dots.');
        }
        return rawurlencode($value);
    }

    private static function text(mixed $value): string
    {
        return match (true) {
            is_bool($value) => $value ? 'true' : 'false',
            is_array($value) => implode(',', $value),
            default => (string) $value,
        };
    }
}
