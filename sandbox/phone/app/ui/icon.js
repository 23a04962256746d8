/** The app's few icons, drawn on a 24 × 24 grid. Each stands next to a text with the same meaning. */
const SVG = 'http://www.w3.org/2000/svg';

const PATHS = {
  back: 'M15 5l-7 7 7 7',
  lock: 'M7 11V8a5 5 0 0 1 10 0v3M5 11h14v9H5z',
  box: 'M12 3l8 4.5v9L12 21l-8-4.5v-9zM4 7.5l8 4.5 8-4.5M12 12v9',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.5c1-4 4-6 7.5-6s6.5 2 7.5 6',
  calendar: 'M4 6h16v14H4zM4 10.5h16M8 3v4M16 3v4',
  truck:
    'M3 6h11v11H3zM14 10h4l3 3v4h-7zM7 20a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM17 20a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  alert: 'M12 4l9 16H3zM12 10v4M12 17v.5',
  card: 'M3 6h18v12H3zM3 10h18M7 14.5h3',
  pause: 'M9 6v12M15 6v12',
  repeat: 'M4 11a7 7 0 0 1 12-4.5L19 9M19 4v5h-5M20 13a7 7 0 0 1-12 4.5L5 15M5 20v-5h5',
};

/** @param {keyof typeof PATHS} name */
export function icon(name) {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', PATHS[name]);
  svg.append(path);
  return svg;
}
