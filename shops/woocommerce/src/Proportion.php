<?php

declare(strict_types=1);

namespace Sluice\WooCommerce;

/** Exact shares of decimal amounts. PHP has no exact numbers unless an extension brings them, so digits are counted here. */
final class Proportion
{
    private const MOST_DIGITS = 15;

    /** `$amount` × `$part` / `$whole`, rounded down to `$decimals` digits after the point. All are decimals without a sign. */
    public static function of(string $amount, string $part, string $whole, int $decimals): string
    {
        $digits = max(self::decimalsOf($part), self::decimalsOf($whole));
        $partUnits = self::units($part, $digits);
        $wholeUnits = self::units($whole, $digits);
        if (strlen($partUnits) > self::MOST_DIGITS || strlen($wholeUnits) > self::MOST_DIGITS || (int) $wholeUnits === 0) {
            throw new \InvalidArgumentException('These amounts cannot be compared.');
        }
        $own = self::decimalsOf($amount);
        $product = self::times(self::units($amount, $own), (int) $partUnits);
        $quotient = self::dividedBy(self::shifted($product, $decimals - $own), (int) $wholeUnits);
        return self::decimal($quotient, $decimals);
    }

    private static function decimalsOf(string $text): int
    {
        if (preg_match('/^[0-9]+(\.[0-9]+)?$/D', $text) !== 1) {
            throw new \InvalidArgumentException('This is not an amount.');
        }
        return strlen(explode('.', $text)[1] ?? '');
    }

    private static function units(string $text, int $decimals): string
    {
        [$whole, $rest] = explode('.', $text) + [1 => ''];
        return ltrim($whole . str_pad($rest, $decimals, '0'), '0') ?: '0';
    }

    private static function times(string $digits, int $factor): string
    {
        $carry = 0;
        $product = '';
        for ($at = strlen($digits) - 1; $at >= 0; $at -= 1) {
            $sum = (int) $digits[$at] * $factor + $carry;
            $product = $sum % 10 . $product;
            $carry = intdiv($sum, 10);
        }
        return ltrim(($carry > 0 ? $carry : '') . $product, '0') ?: '0';
    }

    private static function dividedBy(string $digits, int $divisor): string
    {
        $rest = 0;
        $quotient = '';
        foreach (str_split($digits) as $digit) {
            $rest = $rest * 10 + (int) $digit;
            $quotient .= intdiv($rest, $divisor);
            $rest %= $divisor;
        }
        return ltrim($quotient, '0') ?: '0';
    }

    private static function shifted(string $digits, int $places): string
    {
        return $places >= 0 ? $digits . str_repeat('0', $places) : (substr($digits, 0, $places) ?: '0');
    }

    private static function decimal(string $units, int $decimals): string
    {
        $padded = str_pad($units, $decimals + 1, '0', STR_PAD_LEFT);
        if ($decimals === 0) {
            return $padded;
        }
        return rtrim(rtrim(substr($padded, 0, -$decimals) . '.' . substr($padded, -$decimals), '0'), '.');
    }
}
