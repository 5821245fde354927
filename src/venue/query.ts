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

const PARAMETERS: Readonly<Record<keyof ActivityFilters, string>> = {
  cursor: 'cursor',
  limit: 'limit',
  marketIds: 'marketIds',
  txHash: 'txHash',
  fromBlock: 'fromBlock',
  toBlock: 'toBlock',
  fromTimestampSeconds: 'fromTimestamp',
  toTimestampSeconds: 'toTimestamp',
};

/** As the end of a path: with its question mark, or empty. */
export function queryOf(filters: ActivityFilters): string {
  const query = new URLSearchParams();
  for (const [name, parameter] of Object.entries(PARAMETERS)) {
    const value = filters[name as keyof ActivityFilters] ?? [];
    for (const each of [value].flat()) query.append(parameter, String(each));
  }
  return query.size > 0 ? `?${query}` : '';
}
