/** The channel or server that a request concerns. */
const PLACE = /\/(channels|guilds)\/(\d+)/;

/**
 * Reads from a request's URL which channel or server it concerns.
 *
 * @param ownerOf returns a channel's owner of watches; null if unknown
 * @returns `ownerId` is null if it concerns no server or person, such as the registration of
 *   commands
 */
export function placeIn(url: string, ownerOf: (channelId: string) => string | null) {
  const [lane = url, kind, id = ''] = PLACE.exec(url) ?? [];
  if (kind === 'channels') return { lane, ownerId: ownerOf(id) };
  return { lane, ownerId: kind === 'guilds' ? id : null };
}
