// Runs before anything is drawn, so that a user with a chosen colour scheme never sees the other one flash.
{
  const kept = localStorage.getItem('sluice.theme')
  if (kept === 'light' || kept === 'dark') document.documentElement.dataset.theme = kept
}
