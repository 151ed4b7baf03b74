// Runs before anything is drawn, so that nobody who chose a colour scheme is dazzled by the other one first.
{
  const kept = localStorage.getItem('sluice.theme')
  if (kept === 'light' || kept === 'dark') document.documentElement.dataset.theme = kept
}
