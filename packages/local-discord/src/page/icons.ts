import { svg, type TemplateResult } from 'lit-html';

const PATHS = {
  /** A link that leaves Discord. */
  out: 'M14 3h7v7h-2V6.4L10.7 14.7 9.3 13.3 17.6 5H14zM5 5h6v2H5v12h12v-6h2v8H3V5z',
  /** Removes the element that it is on. */
  close:
    'M5.7 4.3 12 10.6l6.3-6.3 1.4 1.4L13.4 12l6.3 6.3-1.4 1.4L12 13.4l-6.3 6.3-1.4-1.4L10.6 12 4.3 5.7z',
  /** A menu that can be opened. */
  down: 'M5.3 8.3 12 15l6.7-6.7 1.4 1.4L12 17.8 3.9 9.7z',
  /** Visible to one person only. */
  eye: 'M12 5c5 0 9 4.5 10 7-1 2.5-5 7-10 7S3 14.5 2 12c1-2.5 5-7 10-7zm0 3a4 4 0 1 0 0 8 4 4 0 0 0 0-8z',
  /** An error. */
  warning: 'M12 2 1 21h22L12 2zm-1 7h2v6h-2zm0 8h2v2h-2z',
  /** Sent without a sound. */
  silent:
    'M3.3 2 22 20.7 20.7 22l-3-3H3v-2l2-2v-5c0-.7.1-1.3.3-2L2 3.3zM12 2a7 7 0 0 1 7 7v5.2L8.2 3.4A7 7 0 0 1 12 2zM9.5 20h5a2.5 2.5 0 0 1-5 0z',
} as const;

/** Renders a small, purely decorative icon in the color of the surrounding text. */
export function icon(name: keyof typeof PATHS): TemplateResult {
  return svg`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d=${PATHS[name]} /></svg>`;
}
