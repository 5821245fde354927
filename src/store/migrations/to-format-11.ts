import type { Step } from './step.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Leads from format 10. An outage says what caused it; until now the venue did not answer. An alert
 * that goes out of Discord is stored once, with its owners. Beside the identity of a record that is
 * known stands what tells that it is the same once the venue has changed it: records stored without
 * it get it with the next page that shows them.
 */
export const toFormat11: Step = (key, document) => {
  if (!isFields(document)) return document;
  if (key === 'outage') return { ...document, cause: 'unreachable' };
  const { state } = document;
  if (!key.startsWith('wallet:') || !isFields(state)) return document;
  const { handedOn } = state;
  if (!isFields(handedOn)) return document;
  return { ...document, state: { ...state, handedOn: onceAnAlert(handedOn) } };
};

/**
 * Puts the messages of an alert into it. Until now a wallet's messages were counted for all owners
 * together: each of these goes on from that number.
 */
function onceAnAlert(handedOn: Fields): Fields {
  const { sequence, waiting } = handedOn;
  // What is no message is not dropped here: the document's reader puts it aside.
  if (!Array.isArray(waiting) || !waiting.every(isFields)) return handedOn;
  const alerts = new Map<unknown, Fields & { readonly owners: Fields[] }>();
  for (const each of waiting) {
    const { id, event, seenAtMs, isLate, ...message } = each;
    const alert = alerts.get(id) ?? { id, event, seenAtMs, isLate, owners: [] };
    alert.owners.push(message);
    alerts.set(id, alert);
  }
  return { sequences: {}, lastOfAll: sequence, waiting: [...alerts.values()] };
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
