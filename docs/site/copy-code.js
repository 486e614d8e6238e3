// Puts a button that copies on each piece of code that is there to be run. Without this script, and where the browser lets no page copy, the pages are the same.
for (const code of navigator.clipboard === undefined
  ? []
  : document.querySelectorAll('.docs pre:not([data-language=json], [data-language=text], [data-language=""])')) {
  const frame = document.createElement('div')
  frame.className = 'code'
  code.before(frame)
  const button = document.createElement('button')
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(code.textContent)
    button.textContent = 'Copied'
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 2000)
  })
  frame.append(code, button)
}
