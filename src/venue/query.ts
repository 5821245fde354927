/** Filters of the activity endpoint; all optional and combinable. */
export interface ActivityFilters {
  readonly marketIds?: readonly string[];
  readonly txHash?: string;
  readonly fromBlock?: number;
  readonly toBlock?: number;
  /** Unix seconds, inclusive. */
  readonly fromTimestampSeconds?: number;
  /** Unix seconds, inclusive. */
  readonly toTimestampSeconds?: number;
  /** `nextCursor` of the page before; left out: the newest page. */
  readonly cursor?: string;
  /** Records per page; the venue's default is 50, its maximum 100. */
  readonly limit?: number;
}

export type TransferPaging = Pick<ActivityFilters, 'cursor' | 'limit'>;

export function pagingQuery(paging: TransferPaging): URLSearchParams {
  const query = new URLSearchParams();
  if (paging.cursor !== undefined) query.set('cursor', paging.cursor);
  if (paging.limit !== undefined) query.set('limit', String(paging.limit));
  return query;
}

export function activityQuery(filters: ActivityFilters): URLSearchParams {
  const query = pagingQuery(filters);
  for (const marketId of filters.marketIds ?? []) query.append('marketIds', marketId);
  if (filters.txHash !== undefined) query.set('txHash', filters.txHash);
  if (filters.fromBlock !== undefined) query.set('fromBlock', String(filters.fromBlock));
  if (filters.toBlock !== undefined) query.set('toBlock', String(filters.toBlock));
  if (filters.fromTimestampSeconds !== undefined) query.set('fromTimestamp', String(filters.fromTimestampSeconds));
  if (filters.toTimestampSeconds !== undefined) query.set('toTimestamp', String(filters.toTimestampSeconds));
  return query;
}
