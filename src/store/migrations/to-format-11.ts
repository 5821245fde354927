import { type Fields, isFields, type Step } from './step.ts';

/**
 * Converts from format 10. An outage gets its cause, which so far was always an unreachable venue.
 * An alert for receivers is stored once, with its owners. In addition to their identity, known
 * records may have data that identifies them after the venue has changed them; records stored
 * without it get it from the next page that shows them.
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
 * Puts the messages of an alert into the alert. Before this format, a wallet's messages were
 * numbered for all owners together; each owner continues from that number.
 */
function onceAnAlert(handedOn: Fields): Fields {
  const { sequence, waiting } = handedOn;
  // An invalid message is not dropped here; the document's reader quarantines it.
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
