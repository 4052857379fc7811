/** Class of the page that gives it its light colours, whatever the reader prefers. */
const LIGHT = 'light-colours';

/** What `make` returns while the page has its light colours, as pictures for others and for paper have. */
export function inLightColours<Made>(make: () => Made): Made {
  const { classList } = document.documentElement;
  classList.add(LIGHT);
  try {
    return make();
  } finally {
    classList.remove(LIGHT);
  }
}
