import { type ID, Payment, type RequestContext, type TransactionalConnection } from '@vendure/core'
import { In } from 'typeorm'

/**
 * Payments with their orders and refunds, as they are now. Others that ask for them wait until this transaction ends; SQLite,
 * which has no such lock, lets only one write at a time.
 */
export async function lockPayments(
  database: TransactionalConnection,
  ctx: RequestContext,
  ids: readonly ID[],
): Promise<Payment[]> {
  const repository = database.getRepository(ctx, Payment)
  if (!/sqlite|sqljs/.test(database.rawConnection.options.type))
    await repository
      .createQueryBuilder('payment')
      .setLock('pessimistic_write')
      .where('payment.id in (:...ids)', { ids })
      .orderBy('payment.id')
      .getMany()
  return repository.find({
    where: { id: In([...ids]) },
    relations: ['order', 'refunds'],
    order: { id: 'ASC' },
  })
}
