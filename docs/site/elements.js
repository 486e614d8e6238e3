// Elements, icons and stored choices of the scripts of the documentation.

const SVG = 'http://www.w3.org/2000/svg'

/** Makes an element with these properties and children. */
export function make(name, facts = {}, ...children) {
  const element = Object.assign(document.createElement(name), facts)
  element.append(...children)
  return element
}

/** Makes an icon of the sprite in the page. */
export function makeIcon(name) {
  const icon = document.createElementNS(SVG, 'svg')
  icon.setAttribute('class', 'icon')
  icon.setAttribute('aria-hidden', 'true')
  const use = document.createElementNS(SVG, 'use')
  use.setAttribute('href', `#icon-${name}`)
  icon.append(use)
  return icon
}

/** Makes a small button with an icon; `label` is its name and its tooltip. */
export function makeButton(icon, label) {
  const button = make('button', { type: 'button', className: 'quiet small square' }, makeIcon(icon))
  nameButton(button, label)
  return button
}

/** Names a button, for screen readers and on hover. */
export function nameButton(button, label) {
  button.setAttribute('aria-label', label)
  button.title = label
}

/** Reads a stored choice; `null` without one, or in a browser that stores nothing. */
export function readStored(name, storage = () => localStorage) {
  try {
    return storage().getItem(name)
  } catch {
    return null
  }
}

/** Stores a choice; `null` removes it. */
export function store(name, value, storage = () => localStorage) {
  try {
    if (value === null) storage().removeItem(name)
    else storage().setItem(name, value)
  } catch {
    // The choice lasts as long as the page.
  }
}

const status = make('p', { className: 'hidden' })
status.setAttribute('role', 'status')
document.querySelector('main').append(status)

/** Reports what happened to screen readers. */
export function announce(text) {
  status.textContent = text
}
