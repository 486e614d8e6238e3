// Applies the theme that the console stores, before the page is painted. Marks the page as
// scripted, so that samples do not move when they become tabs.
{
  const root = document.documentElement
  root.classList.add('scripted')
  try {
    const theme = localStorage.getItem('recollect-theme')
    if (theme === 'light' || theme === 'dark') root.dataset.theme = theme
  } catch {
    // A browser that stores nothing keeps the theme of the system.
  }
}
