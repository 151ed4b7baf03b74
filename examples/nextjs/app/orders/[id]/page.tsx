import { notFound } from 'next/navigation'
import { findOrder } from '@/lib/orders'

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const order = findOrder((await params).id)
  if (order === undefined) notFound()
  return <h1>{`Your order is ${order.status}`}</h1>
}
