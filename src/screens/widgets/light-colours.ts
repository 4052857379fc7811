/** With this class, the page has light colours, whatever the reader prefers. */
const LIGHT = 'light-colours';

/** Calls `make` while the page has light colours, which pictures for other people and for paper need. */
export function inLightColours<Made>(make: () => Made): Made {
  const { classList } = document.documentElement;
  classList.add(LIGHT);
  try {
    return make();
  } finally {
    classList.remove(LIGHT);
  }
}
