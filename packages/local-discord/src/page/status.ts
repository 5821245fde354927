import { html, nothing } from 'lit-html';
import type { PageFigure } from '../site/protocol.ts';

const NOT_CONNECTED: PageFigure = {
  name: 'Page',
  value: { text: 'not connected' },
  isBad: true,
  meaning: '',
};

/** Renders the strip at the top. */
export function statusStrip(
  figures: readonly PageFigure[],
  isConnected: boolean,
  nowMs: number,
): unknown {
  const shown = isConnected ? figures : [...figures, NOT_CONNECTED];
  return html`<dl class="status" aria-label="Status">
    ${shown.map(
      ({ name, value, isBad, meaning }) =>
        html`<div class=${isBad ? 'bad' : ''} data-status=${name} title=${meaning === '' ? nothing : meaning}><dt>${name}</dt><dd>${textOf(value, nowMs)}</dd></div>`,
    )}
  </dl>`;
}

function textOf(value: PageFigure['value'], nowMs: number): string {
  if ('text' in value) return value.text;
  const seconds = Math.max(0, Math.ceil((value.untilMs - nowMs) / 1000));
  return seconds === 0 ? 'now' : `in ${seconds} s`;
}
