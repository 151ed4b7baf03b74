<?php

declare(strict_types=1);

namespace Sluice;

/** What is sent. */
final class Body
{
    private const FLAGS = JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_PRESERVE_ZERO_FRACTION;

    /**
     * The fields as JSON; those that are null are left out, or taken from `$defaults`.
     *
     * @param array<string, mixed> $fields
     * @param array<string, string> $defaults
     */
    public static function text(array $fields, array $defaults): string
    {
        $set = array_filter($fields, static fn (mixed $value): bool => $value !== null) + $defaults;
        foreach ($set as $name => $value) {
            if (is_array($value) && $name !== 'metadata') {
                // Lists, such as payouts, have items with the same fields.
                $set[$name] = array_map(
                    static fn (mixed $item): mixed => is_array($item) ? self::item($item) : $item,
                    $value,
                );
            }
        }
        try {
            return json_encode((object) self::item($set), self::FLAGS);
        } catch (\JsonException $error) {
            throw new \InvalidArgumentException("The fields are no JSON: {$error->getMessage()}");
        }
    }

    /**
     * @param array<string, mixed> $fields
     * @return array<string, mixed>
     */
    private static function item(array $fields): array
    {
        foreach ($fields as $name => $value) {
            if (is_float($value)) {
                throw new \InvalidArgumentException(
                    "$name must be a string such as '49.90': floats round, and the API takes no numbers as amounts."
                );
            }
        }
        if (is_array($fields['metadata'] ?? null)) {
            // PHP would write an empty array as a list.
            $fields['metadata'] = (object) $fields['metadata'];
        }
        return $fields;
    }

    /** A random UUID (RFC 9562, version 4). */
    public static function uuid(): string
    {
        $bytes = random_bytes(16);
        $bytes[6] = chr((ord($bytes[6]) & 0x0f) | 0x40);
        $bytes[8] = chr((ord($bytes[8]) & 0x3f) | 0x80);
        return vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex($bytes), 4));
    }
}
