import type { WatchSettingsWords } from '../en/watch-settings.ts';
import { names } from './names.ts';

export const settings: WatchSettingsWords = {
  kinds: { buy: 'compras', sell: 'vendas', redeem: 'resgates', deposit: 'depósitos', withdrawal: 'saques' },
  kind: { buy: 'compra', sell: 'venda', redeem: 'resgate', deposit: 'depósito', withdrawal: 'saque' },
  resetPrice: 'preço',
  time: { d: ' d', h: ' h', m: ' min', s: ' s', between: ' ' },

  everything: (kinds) => `Avisa de tudo: ${kinds}.`,
  kindsOnly: (kinds) => `só ${kinds}`,
  minUsdc: (amount) => `a partir de ${amount}`,
  marketsOnly: (markets) => `só em ${markets}`,
  marketsExcept: (markets) => `não em ${markets}`,
  unnamedMarket: 'um mercado sem nome',
  priceUpTo: (price) => `operações a ${price} ou menos`,
  priceFrom: (price) => `operações a ${price} ou mais`,
  priceExactly: (price) => `operações a ${price}`,
  priceBetween: (low, high) => `operações de ${low} a ${high}`,
  liquidity: { maker: 'só operações maker', taker: 'só operações taker' },
  cooldown: (time) => `no máximo um alerta por mercado em ${time}`,
  eachFill: 'cada execução separada',
  mention: (role, minUsdc, cooldown) =>
    `menciona ${role}${minUsdc === null ? '' : ` a partir de ${minUsdc}`}${cooldown === null ? '' : `, no máximo uma vez em ${cooldown}`}`,
  unusualOnly: 'só operações de tamanho incomum',
  silentBelow: (amount) => `em silêncio abaixo de ${amount}`,
  sweeps: (price, cents) =>
    `Execuções a ${price} ou mais são quase sempre varreduras de mercados já decididos: \`${names.options['max-price']}: ${cents}\` as deixa de fora.`,

  notAccepted: (option, value, accepted) =>
    `A opção \`${option}\` não aceita ${value}. Aceito: ${accepted}. Nada mudou.`,
  thatValue: 'isso',
  accepted: {
    kinds: (kinds) => `all, ou alguns de ${kinds}`,
    markets: (most) => `"only: ID, SLUG", "except: ID, SLUG" (no máximo ${most} mercados) ou "any"`,
    liquidity: 'maker, taker ou any',
    style: 'grouped ou each',
    size: 'unusual ou any',
    usdc: (most) => `dólares de 0 a ${most}, com no máximo duas casas decimais`,
    cents: 'centavos de 0 a 100, com no máximo duas casas decimais',
    cooldown: (examples, most) => `uma duração como ${examples} (no máximo ${most}), ou none`,
    pause: (examples, least, most) =>
      `uma duração como ${examples}, de ${least} a ${most}; deixe vazio para uma pausa sem fim`,
  },
  bandWrong: (min, max) =>
    `A opção \`${names.options['min-price']}\` (${min}) é maior que \`${names.options['max-price']}\` (${max}). Aceito: o mesmo ou menos. Nada mudou.`,
  notEveryone: `A opção \`${names.options.mention}\` não aceita @everyone. Aceito: qualquer outro cargo, para que o pegue quem quiser. Nada mudou.`,
  needsRole: (option) =>
    `A opção \`${option}\` precisa de um cargo a mencionar: informe também a opção \`${names.options.mention}\`. Nada mudou.`,
};
