import { type Fields, isFields, type Step } from './step.ts';

/**
 * Converts from format 11: a wallet's document has the positions of each channel under its id, and
 * three fields are renamed. `posted:` documents only start with later writes.
 */
export const toFormat12: Step = (key, document) => {
  if (!key.startsWith('wallet:') || !isFields(document)) return document;
  const { state, outbox } = document;
  return {
    ...document,
    ...(isFields(state) && { state: stateOf(state) }),
    ...(Array.isArray(outbox) && { outbox: outbox.map(withDelayed) }),
    revision: 0,
  };
};

const withDelayed = (alert: unknown) => renamed(alert, 'later', 'delayed');

function stateOf(before: Fields): Fields {
  const state = renamed(before, 'handedOn', 'forReceivers') as Fields;
  const { knowledge } = state;
  if (!isFields(knowledge)) return state;
  const named = renamed(knowledge, 'announced', 'announcedConsensus') as Fields;
  const alertedPositions = byChannel(named['alertedPositions']);
  return { ...state, knowledge: { ...named, alertedPositions } };
}

/**
 * Groups positions by the channel that each names. Invalid ones stay unchanged, for the schema to
 * reject.
 */
function byChannel(positions: unknown): unknown {
  if (!Array.isArray(positions)) return positions;
  const channels: Record<string, unknown[]> = {};
  for (const position of positions) {
    if (!isFields(position) || typeof position['channelId'] !== 'string') return positions;
    const { channelId, ...own } = position;
    const ofChannel = channels[position['channelId']] ?? [];
    channels[position['channelId']] = [...ofChannel, own];
  }
  return channels;
}

function renamed(fields: unknown, before: string, after: string): unknown {
  if (!isFields(fields) || !Object.hasOwn(fields, before)) return fields;
  const { [before]: value, ...others } = fields;
  return { ...others, [after]: value };
}
