// Adds a copy button to each block of code. Without this script, or without permission to copy, the
// pages work unchanged.
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
