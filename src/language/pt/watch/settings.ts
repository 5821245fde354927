import type { WatchSettingsWords } from '../../en/watch/settings.ts';
import type { Terms } from '../../terms.ts';

export const settings = ({ names }: Terms): WatchSettingsWords => ({
  kinds: {
    buy: 'compras',
    sell: 'vendas',
    redeem: 'resgates',
    deposit: 'depósitos',
    withdrawal: 'saques',
    opens: 'aberturas',
    adds: 'aumentos',
    reduces: 'reduções',
    closes: 'fechamentos',
    other: 'outros tipos',
  },
  kind: {
    buy: 'compra',
    sell: 'venda',
    redeem: 'resgate',
    deposit: 'depósito',
    withdrawal: 'saque',
    opens: 'abertura',
    adds: 'aumento',
    reduces: 'redução',
    closes: 'fechamento',
    other: 'outros',
  },
  resetPrice: 'preço',
  time: { d: ' d', h: ' h', m: ' min', s: ' s', between: ' ' },

  everything: 'cada compra, venda, resgate, depósito e saque',
  nothingChanged: 'Nada mudou.',
  was: (before) => `(antes: ${before})`,
  kindsOnly: (kinds) => `só ${kinds}`,
  minUsdc: (amount) => `a partir de ${amount}`,
  marketsOnly: (markets) => `só em ${markets}`,
  marketsExcept: (markets) => `não em ${markets}`,
  unknownMarkets: (markets) =>
    `Não conheço nenhuma operação em ${markets}. Confira o ID ou o slug.`,
  wordsOnly: (words) => `só mercados com ${words}`,
  wordsExcept: (words) => `sem mercados com ${words}`,
  unknownWords: (words) =>
    `Não conheço nenhuma operação em um mercado com ${words}. Confira a grafia.`,
  anyway: {
    button: 'Usar mesmo assim',
    nothing: 'Nada mudou. Se estiver certo, clique no botão ou envie o mesmo comando mais uma vez.',
    notYours: 'Só quem enviou o comando pode usar este botão.',
  },
  unnamedMarket: 'um mercado sem nome',
  priceUpTo: (price) => `operações a ${price} ou menos`,
  priceFrom: (price) => `operações a ${price} ou mais`,
  priceExactly: (price) => `operações a ${price}`,
  priceBetween: (low, high) => `operações de ${low} a ${high}`,
  liquidity: { maker: 'só operações maker', taker: 'só operações taker' },
  cooldown: (time) => `no máximo um alerta por mercado a cada ${time}`,
  eachFill: 'um alerta por execução',
  mention: (role, minUsdc, cooldown) =>
    `menciona ${role}${minUsdc === null ? '' : ` a partir de ${minUsdc}`}` +
    (cooldown === null ? '' : `, no máximo uma vez a cada ${cooldown}`),
  unusualOnly: 'só operações de tamanho incomum',
  silentBelow: (amount) => `em silêncio abaixo de ${amount}`,
  sweeps: (price, cents) =>
    `Execuções a ${price} ou mais são quase sempre compras de fim de mercado, ` +
    'já praticamente decididas. ' +
    `Deixe-as de fora com \`${names.options['max-price']}: ${cents}\`.`,

  notAccepted: (option, value, accepted) =>
    `\`${option}\` não pode ser ${value}. Use ${accepted}. Nada mudou.`,
  accepted: {
    labelOfOne: 'um apelido para uma única carteira; várias mantêm os que têm aqui',
    kinds: (kinds) => `\`${names.typed.all}\`, ou um ou mais de ${kinds}`,
    resets: (parts) => `um ou mais de ${parts}`,
    markets: (most) =>
      `\`${names.typed.only}: ID, SLUG\` ou \`${names.typed.except}: ` +
      `ID, SLUG\` (até ${most} mercados), ou \`${names.typed.any}\``,
    words: (most) =>
      `\`${names.typed.only}: PALAVRA, DUAS PALAVRAS\` ou \`${names.typed.except}: ` +
      `PALAVRA\` (até ${most} palavras ou frases), ou \`${names.typed.any}\``,
    usdc: (most) => `dólares de 0 a ${most}, com no máximo duas casas decimais`,
    cents: 'centavos de 0 a 100, com no máximo duas casas decimais',
    time: (examples, least, most) => `uma duração de ${least} a ${most} (${examples})`,
    cooldown: (examples, least, most) =>
      `uma duração de ${least} a ${most} (${examples}) ou \`${names.typed.none}\``,
    pause: (examples, least, most) =>
      `uma duração de ${least} a ${most} (${examples}), ou deixe vazio para uma pausa sem fim`,
  },
  bandWrong: (min, max) =>
    `\`${names.options['min-price']}\` (${min}) ` +
    `é maior que \`${names.options['max-price']}\` (${max}). Troque os dois. Nada mudou.`,
  notEveryone:
    `\`${names.options.mention}\` não pode ser @everyone. ` +
    'Use um cargo que cada um possa escolher. Nada mudou.',
  needsRole: (option) =>
    `\`${option}\` precisa de um cargo a mencionar: ` +
    `informe também \`${names.options.mention}\`. Nada mudou.`,
});
