<?php

declare(strict_types=1);

namespace Sluice\Exception;

/** Something else than Sluice answered: a proxy, a redirect, a wrong base URL. */
final class UnexpectedAnswerException extends ApiException
{
}
