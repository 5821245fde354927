import type { WalletAddress } from '../domain/address.ts';
import type { EndpointName } from '../domain/records.ts';

/** State of an endpoint in this run. */
const newEndpoint = () => ({
  /** Venue time of the newest page that was taken, Unix seconds; null if none was. */
  takenSeconds: null as number | null,
  /**
   * True if the last page was taken and left nothing open, so that an equal page brings nothing.
   */
  isSettled: true,
  /**
   * Identities of the records of the last page that are dated too far ahead: they are in the log.
   */
  refusedNames: [] as readonly string[],
});

export type EndpointRun = ReturnType<typeof newEndpoint>;

/** The endpoints of wallets as this run has seen them; nothing of it is stored. */
export function createEndpointRuns() {
  const wallets = new Map<WalletAddress, Readonly<Record<EndpointName, EndpointRun>>>();
  return {
    /** An endpoint's state, to be changed in its place. */
    of(wallet: WalletAddress, name: EndpointName) {
      const endpoints = wallets.get(wallet) ?? {
        activity: newEndpoint(),
        'deposits-withdrawals': newEndpoint(),
      };
      wallets.set(wallet, endpoints);
      return endpoints[name];
    },
    /** Venue time of the newest page that was taken, Unix seconds; null if none was. */
    takenSeconds: (wallet: WalletAddress, name: EndpointName): number | null =>
      wallets.get(wallet)?.[name].takenSeconds ?? null,
    forget: (wallet: WalletAddress) => wallets.delete(wallet),
  };
}
