<?php

declare(strict_types=1);

namespace Sluice\WooCommerce\Test;

use PHPUnit\Framework\TestCase;
use Sluice\WooCommerce\Proportion;

final class ProportionTest extends TestCase
{
    /** @return iterable<string, array{string, string, string, int, string}> */
    public static function shares(): iterable
    {
        yield 'all of it is all of it' => ['0.00103741', '49.90', '49.9', 8, '0.00103741'];
        yield 'a third is rounded down' => ['0.001', '10.00', '30.00', 8, '0.00033333'];
        yield 'two thirds are rounded down too' => ['0.00000002', '2', '3', 8, '0.00000001'];
        yield 'less than the smallest unit is nothing' => ['0.00000001', '0.01', '100', 8, '0'];
        yield 'an asset without decimals' => ['1000', '1', '3', 0, '333'];
        yield 'fewer decimals than the amount has' => ['0.129', '1', '1', 2, '0.12'];
        yield 'an amount below its last unit' => ['0.001', '1', '1', 2, '0'];
        yield 'prices without decimals' => ['2', '1500', '3000', 6, '1'];
        yield 'more digits than a float or an int holds' => [
            '123456789.123456789012345678', '49.90', '99.80', 18, '61728394.561728394506172839',
        ];
        yield 'fifteen digits' => ['3', '999999999999.999', '999999999999.999', 18, '3'];
        yield 'leading zeros' => ['0007.50', '01', '02', 2, '3.75'];
        yield 'nothing of it' => ['5', '0', '9.99', 8, '0'];
    }

    /** @dataProvider shares */
    public function testTakesAnExactShareRoundedDown(string $amount, string $part, string $whole, int $decimals, string $share): void
    {
        self::assertSame($share, Proportion::of($amount, $part, $whole, $decimals));
    }

    public function testAgreesWithIntegersWhereThoseAreEnough(): void
    {
        mt_srand(20260101);
        for ($run = 0; $run < 2_000; $run += 1) {
            $units = mt_rand(0, 100_000_000);
            $whole = mt_rand(1, 1_000_000);
            $part = mt_rand(0, $whole);
            $share = Proportion::of(self::decimal($units, 8), self::decimal($part, 2), self::decimal($whole, 2), 8);
            self::assertSame(intdiv($units * $part, $whole), (int) round((float) $share * 1e8), "$units * $part / $whole");
        }
    }

    /** @return iterable<string, array{string, string, string}> */
    public static function noAmounts(): iterable
    {
        foreach (['', '-1', '+1', '1e3', '1,5', ' 1', "1\n", '.5', '1.', '0x1', '1.2.3'] as $wrong) {
            yield "amount '$wrong'" => [$wrong, '1', '2'];
            yield "part '$wrong'" => ['1', $wrong, '2'];
            yield "whole '$wrong'" => ['1', '1', $wrong];
        }
        yield 'a share of nothing' => ['1', '1', '0.00'];
        yield 'a part of sixteen digits' => ['1', '1234567890123456', '2'];
        yield 'a whole of sixteen digits' => ['1', '1', '12345678901234.56'];
        yield 'sixteen digits once both have the same decimals' => ['1', '123456789012345', '1.5'];
    }

    /** @dataProvider noAmounts */
    public function testRefusesWhatItCannotCompare(string $amount, string $part, string $whole): void
    {
        $this->expectException(\InvalidArgumentException::class);
        Proportion::of($amount, $part, $whole, 8);
    }

    private static function decimal(int $units, int $decimals): string
    {
        $digits = str_pad((string) $units, $decimals + 1, '0', STR_PAD_LEFT);
        return substr($digits, 0, -$decimals) . '.' . substr($digits, -$decimals);
    }
}
