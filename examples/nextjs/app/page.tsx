export default function Home() {
  return (
    <form method="post" action="/orders">
      <h1>Mug, $49.90</h1>
      <button type="submit">Buy</button>
    </form>
  )
}
