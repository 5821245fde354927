import type { NewsWords } from '../en/news.ts';
import { plural } from '../plural.ts';

const form = plural('pt-BR');

export const news: NewsWords = {
  gain: (amount, percent) => `${amount}${percent === undefined ? '' : ` (${percent})`}`,

  position: {
    opens: 'Abre uma posição',
    firstInMarket: 'primeira operação neste mercado',
    adds: (shares) => `Aumenta uma posição de ${shares}`,
    now: (shares) => `agora ${shares}`,
    reduces: (shares) => `Reduz para ${shares}`,
    closes: 'Fecha a posição',
    entry: (price) => `entrada média ${price}`,
    realized: (gain) => `realizado ${gain}`,
    realizedOfSeen: (gain) => `Realizado ${gain} sobre as compras vistas`,
    unseen: (shares) => `${shares} sem compra vista: resultado desconhecido`,
    since: (time) => `conforme visto desde ${time}`,
    otherSide: (shares) => `Também tem ${shares} do lado oposto`,
    unusual: (amount) => `**Tamanho incomum**: ${amount}`,
    usual: (trades, amount) => `95 % das últimas ${trades} operações foram de ${amount} ou menos`,
  },
  brief: {
    opens: 'abre',
    adds: 'aumenta',
    reduces: 'reduz',
    closes: 'fecha',
    unseen: 'compra não vista, resultado desconhecido',
    partlyUnseen: 'compra não vista em parte',
    realized: (amount) => `realizado ${amount}`,
    unusual: '**tamanho incomum**',
    comma: ', ',
    since: (texts, time) => `${texts} (visto desde ${time})`,
  },

  consensus: {
    took: (count, side) => `${count} carteiras vigiadas compraram ${side}`,
    nowTook: (count, side) => `Agora ${count} carteiras vigiadas compraram ${side}`,
    disagree: (count, side, opposing, opposingSide) =>
      `Carteiras vigiadas divergem: ${count} em ${side}, ${opposing} ${opposingSide === undefined ? 'contra' : `em ${opposingSide}`}`,
    side: (side, weight) => `${side}: ${weight}`,
    otherOutcomes: 'Outros resultados',
    unknownSide: 'um resultado',
    weight: (amount, shares, average) =>
      `**${amount}** por ${shares}${average === undefined ? '' : `, ${average} em média`}`,
    stake: (wallet, amount, average) => `${wallet} ${amount}${average === undefined ? '' : `, ${average} em média`}`,
    more: (count) => `… e mais ${count}`,
    hedged: (count, n) =>
      form(n, {
        one: `Mais ${count} comprou os dois lados e não conta em nenhum`,
        other: `Mais ${count} compraram os dois lados e não contam em nenhum`,
      }),
    bought: (from, to) => `Compras entre ${from} e ${to}`,
    rule: (wallets, duration) => `Compras de ${wallets} ou mais carteiras em ${duration}`,
    agreeLine: (count, side) => `**${count} carteiras vigiadas em ${side}**`,
    disagreeLine: (count, side, opposing, opposingSide) =>
      `**${count} carteiras vigiadas em ${side}, ${opposing} em ${opposingSide ?? 'outros resultados'}**`,
    against: (amount, opposing) => `${amount} contra ${opposing}`,
  },

  result: {
    title: (wallet, gain) => `${wallet} fechou o que foi avisado aqui: ${gain}`,
    line: (amount, percent) =>
      `**Fechou o que foi avisado aqui, ${amount}**${percent === undefined ? '' : ` (${percent})`}`,
    paid: (amount) => `Pagou ${amount}`,
    received: (amount) => `recebeu ${amount}`,
    noFees: 'sem taxas',
    fees: (amount) => `taxas de ${amount} incluídas`,
    held: (from, to, duration) => `De ${from} a ${to}, ${duration}`,
    footer: 'Resultado das compras avisadas aqui',
  },
  score: {
    noneClosed: 'Alertas aqui: nenhum fechado ainda',
    won: (won, markets, n, low, high) =>
      `Alertas aqui: ${won} de ${markets} ${form(n, { one: 'mercado fechado', other: 'mercados fechados' })} com ganho (intervalo de 95 %: ${low} a ${high} %)`,
    perDollar: (percent, error) => `${percent}${error === undefined ? '' : ` ± ${error} %`} por dólar`,
    smallSample: '**amostra pequena**',
    open: (count, n, oldest) =>
      `${count} ainda ${form(n, { one: 'aberta', other: 'abertas' })}${oldest === undefined ? '' : `, a mais antiga desde ${oldest}`}`,
    givenUp: (count, n) => `${count} ${form(n, { one: 'abandonada', other: 'abandonadas' })} sem fechamento visto`,
  },
};
