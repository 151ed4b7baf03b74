<?php

declare(strict_types=1);

/** What the stand-ins store: a file for each value, as it would be a row in a database. */
final class Kept
{
    public static string $folder = '';

    /** Reads and changes a stored value, one process at a time. */
    public static function change(string $name, ?callable $change = null, mixed $default = false): mixed
    {
        $file = fopen(self::$folder . '/' . hash('sha256', $name), 'c+');
        flock($file, LOCK_EX);
        $text = stream_get_contents($file);
        $value = $text === '' ? $default : unserialize($text);
        if ($change !== null) {
            $value = $change($value);
            ftruncate($file, 0);
            rewind($file);
            fwrite($file, $value === $default ? '' : serialize($value));
        }
        fclose($file);
        return $value;
    }
}
