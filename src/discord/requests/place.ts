/** The channel or server that a request is about. */
const PLACE = /\/(channels|guilds)\/(\d+)/;

/**
 * Reads from a request's address what it is about.
 *
 * @param ownerOf whose a channel is, as an owner of watches; null if that is not known
 * @returns `ownerId` null: no server's and no person's, such as the registration of commands
 */
export function placeIn(url: string, ownerOf: (channelId: string) => string | null) {
  const [lane = url, kind, id = ''] = PLACE.exec(url) ?? [];
  if (kind === 'channels') return { lane, ownerId: ownerOf(id) };
  return { lane, ownerId: kind === 'guilds' ? id : null };
}
