/**
 * Whether an error that nobody caught comes from discord.js's own handling of the gateway: a packet that arrives while a
 * session ends throws there (its RESUMED handler reads a session that is gone). The connection is made anew all the same.
 */
export function isGatewayFault(error: unknown): boolean {
  const [thrower = ''] =
    error instanceof Error ? (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line)) : [];
  return /node_modules[\\/](discord\.js[\\/]src[\\/]client[\\/]websocket|@discordjs[\\/]ws)[\\/]/.test(thrower);
}
