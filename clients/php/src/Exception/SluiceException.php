<?php

declare(strict_types=1);

namespace Sluice\Exception;

/** The base of every exception of this client. */
abstract class SluiceException extends \RuntimeException
{
}
