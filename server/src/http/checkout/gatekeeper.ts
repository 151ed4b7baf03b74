import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CheckoutOpener } from '../../app/checkout/open-checkout.ts'
import { RateLimitedError, ServiceError } from '../../domain/errors.ts'
import type { Visit } from '../../store/invoices/visits.ts'
import type { Admission } from '../bind-contract.ts'
import type { Access } from '../contract.ts'
import { clientOf } from '../rate-limit/client.ts'
import { enter, sayLimit } from '../rate-limit/enter.ts'
import type { RateLimiter } from '../rate-limit/rate-limiter.ts'
import type { RollingLog } from '../rate-limit/rolling-log.ts'

/** An IP address that sent more unknown links and forged tokens than this in the last minute is refused. */
export const maxGuesses = 30
/** How many calls all pages of one invoice together may make in a minute. */
export const callsPerInvoice = 120

export type CheckoutGatekeeper = {
  /** Admits a request for a page or its files, counted by IP address; refuses clients that guess links. */
  admitVisitor: Admission
  /** Records that this request named a link that does not exist. */
  noteGuess(request: FastifyRequest): void
  /** Admission to what wallets call with the ticket in their URL: 429 for a guesser or a crowd, then 404, then 429 for the invoice. */
  admitWallet: Admission
  /**
   * Admission to the internal contract's operations: 429 for a guesser or a crowd, then 401, then 429 for the invoice.
   */
  admissionTo(access: Access): Admission
}

export function checkoutGatekeeper(options: {
  opener: CheckoutOpener
  ipLimiter: RateLimiter
  invoiceLimiter: RateLimiter
  /** With the limit `maxGuesses + 1`: the first guess over the limit is the first one refused. */
  guesses: RollingLog
}): CheckoutGatekeeper {
  const { opener, ipLimiter, invoiceLimiter, guesses } = options

  function admitVisitor(request: FastifyRequest, reply: FastifyReply): void | Promise<void> {
    const standing = guesses.peek(clientOf(request))
    if (standing.admitted) return enter(reply, ipLimiter, clientOf(request))
    sayLimit(reply, { ...standing, limit: maxGuesses, remaining: 0 })
    throw new RateLimitedError(standing.retryAfterSeconds, 'Too many requests with a wrong link or token.')
  }

  async function open(request: FastifyRequest): Promise<Visit> {
    const token = bearer(request.headers.authorization)
    const opened = token === null ? 'expired' : await opener.byToken(token)
    if (typeof opened === 'object') return opened
    // A page that slept has a token that was once valid; that is not a guess. Both get the same answer.
    if (opened === 'forged') guesses.record(clientOf(request))
    throw new ServiceError(
      'unauthorized',
      'This page has been open for too long. Open the payment link again.',
    )
  }

  async function admitWallet(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    sayAnyOrigin(reply)
    reply.header('Cache-Control', 'no-store')
    await admitVisitor(request, reply)
    const { ticket } = request.params as { ticket: string }
    const opened = await opener.byTicket(ticket)
    if (typeof opened !== 'object') {
      if (opened === 'forged') guesses.record(clientOf(request))
      throw new ServiceError('not_found', 'There is no such payment any more. Open the payment link again.')
    }
    await enter(reply, invoiceLimiter, opened.invoice.id)
    request.visit = opened
  }

  return {
    admitVisitor,
    admitWallet,
    noteGuess: (request) => guesses.record(clientOf(request)),
    admissionTo(access) {
      if (access.kind !== 'checkout_token')
        throw new Error('An operation of the internal contract must require the token of a payment page.')
      return async (request, reply) => {
        await admitVisitor(request, reply)
        const visit = await open(request)
        await enter(reply, invoiceLimiter, visit.invoice.id)
        request.visit = visit
      }
    },
  }
}

/** Lets pages of any origin read the answer, as web wallets have to. Nothing here depends on cookies. */
export function sayAnyOrigin(reply: FastifyReply): void {
  reply.header('Access-Control-Allow-Origin', '*')
}

function bearer(header: string | undefined): string | null {
  const match = /^Bearer ([\w-]{1,100})$/i.exec(header ?? '')
  return match?.[1] ?? null
}
