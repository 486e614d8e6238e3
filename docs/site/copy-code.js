// Puts a button on each piece of code that copies it. Without this script, and where the browser lets no page copy, the pages are the same.
for (const code of navigator.clipboard === undefined ? [] : document.querySelectorAll('.docs pre')) {
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
