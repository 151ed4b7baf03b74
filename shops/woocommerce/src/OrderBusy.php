<?php

declare(strict_types=1);

namespace Sluice\WooCommerce;

/** Another process works on the same order. Try again. */
final class OrderBusy extends \RuntimeException
{
}
