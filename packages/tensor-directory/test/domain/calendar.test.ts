import { describe, expect, test } from 'vitest';
import { inputsOf, readPlans } from '../../src/service/plans.ts';

/** A Thursday. */
const TODAY = '2026-11-19';

function filterOf(prompt: string): unknown {
  for (const input of inputsOf(prompt, TODAY)) {
    const [reading] = readPlans(input).filter(({ claims }) => claims.length === 0);
    const [step] = reading?.steps ?? [];
    if (step && 'filter' in step) return step.filter;
  }
  return undefined;
}
const from = (createdAfter: string, createdBefore: string) => ({ createdAfter, createdBefore });
const LAST_WEEK = from('2026-11-09', '2026-11-16');
const OCTOBER = from('2026-10-01', '2026-11-01');
const SINCE_NOVEMBER_10 = { createdAfter: '2026-11-10' };
const WEEK_PAST = from('2026-11-12', '2026-11-20');

/** What is meant by the words of the calendar; the end of a period is the first day after it. */
const PERIODS: readonly (readonly [prompt: string, filter: unknown])[] = [
  ['tensors uploaded today', from('2026-11-19', '2026-11-20')],
  ['What did I upload today?', from('2026-11-19', '2026-11-20')],
  ['今天上传了什么', from('2026-11-19', '2026-11-20')],
  ['Welche Tensoren wurden heute hochgeladen?', from('2026-11-19', '2026-11-20')],
  ['which tensors were uploaded yesterday?', from('2026-11-18', '2026-11-19')],
  ['tensors from yesterday', from('2026-11-18', '2026-11-19')],
  ['昨天上传的张量', from('2026-11-18', '2026-11-19')],
  ['tensors uploaded the day before yesterday', from('2026-11-17', '2026-11-18')],
  ['Welche Tensoren wurden vorgestern hochgeladen?', from('2026-11-17', '2026-11-18')],
  ['tensors from last week', LAST_WEEK],
  ['which models were uploaded last week?', LAST_WEEK],
  ['Quels tenseurs ont été ajoutés la semaine dernière ?', LAST_WEEK],
  ['¿Qué tensores se subieron la semana pasada?', LAST_WEEK],
  ['上周上传的张量', LAST_WEEK],
  ['Welche Tensoren sind von letzter Woche?', LAST_WEEK],
  ['tensors uploaded this week', from('2026-11-16', '2026-11-20')],
  ['tensors uploaded in the last week', WEEK_PAST],
  ['tensors from the past 7 days', WEEK_PAST],
  ['Welche Tensoren wurden in den letzten 7 Tagen hochgeladen?', WEEK_PAST],
  ['les tenseurs ajoutés ces 7 derniers jours', WEEK_PAST],
  ['los tensores subidos en los últimos 7 días', WEEK_PAST],
  ['最近 7 天上传的张量', WEEK_PAST],
  ['tensors from the last two weeks', from('2026-11-05', '2026-11-20')],
  ['tensors uploaded this month', from('2026-11-01', '2026-11-20')],
  ['tensors uploaded last month', OCTOBER],
  ['Welche Tensoren kamen letzten Monat hinzu?', undefined],
  ['上个月上传的张量', OCTOBER],
  ['tensors created in October', OCTOBER],
  ['tensors created in October 2026', OCTOBER],
  ['Tensoren aus dem Oktober', OCTOBER],
  ['十月上传的张量', OCTOBER],
  ['十月份上传的张量有哪些？', OCTOBER],
  ['tensors older than 2 months', { createdBefore: '2026-09-19' }],
  ['tensors uploaded a month ago', from('2026-10-19', '2026-10-20')],
  ['what did I add on November 12', from('2026-11-12', '2026-11-13')],
  ['2026 年 10 月上传的张量', OCTOBER],
  ['tensors created in December', from('2025-12-01', '2026-01-01')],
  ['tensors uploaded on 10 November', from('2026-11-10', '2026-11-11')],
  ['tensors uploaded on 10 December', from('2025-12-10', '2025-12-11')],
  ['11 月 10 日上传的张量', from('2026-11-10', '2026-11-11')],
  ['Tensoren vom 10.11.2026', from('2026-11-10', '2026-11-11')],
  ['Tensoren vom 10. November', from('2026-11-10', '2026-11-11')],
  ['tensors uploaded on Monday', from('2026-11-16', '2026-11-17')],
  ['tensors uploaded last Friday', from('2026-11-13', '2026-11-14')],
  ['tensors uploaded on Thursday', undefined],
  ['Welche Tensoren wurden am Montag hochgeladen?', from('2026-11-16', '2026-11-17')],
  ['tensors uploaded 3 days ago', from('2026-11-16', '2026-11-17')],
  ['Welche Tensoren wurden vor 3 Tagen hochgeladen?', from('2026-11-16', '2026-11-17')],
  ['三天前上传的张量', from('2026-11-16', '2026-11-17')],
  ['los tensores subidos hace 3 días', from('2026-11-16', '2026-11-17')],
  ['tensors uploaded since 10 November', SINCE_NOVEMBER_10],
  ['tensors uploaded since 2026-11-10', SINCE_NOVEMBER_10],
  ['tensors from 2026-11-10 on', SINCE_NOVEMBER_10],
  ['tensors from 2026-11-10', from('2026-11-10', '2026-11-11')],
  ['Welche Tensoren gibt es seit dem 10. November?', SINCE_NOVEMBER_10],
  ['tensors uploaded after 2026-11-09', SINCE_NOVEMBER_10],
  ['tensors newer than 2026-11-09', SINCE_NOVEMBER_10],
  ['tensors uploaded after 2026-10', { createdAfter: '2026-11-01' }],
  ['tensors uploaded after 2026-11-09T12:00', { createdAfter: '2026-11-09T12:00' }],
  ['tensors uploaded before 2026-11-10', { createdBefore: '2026-11-10' }],
  ['tensors uploaded until 2026-11-09', { createdBefore: '2026-11-10' }],
  ['tensors uploaded up to yesterday', { createdBefore: '2026-11-19' }],
  ['tensors older than a week', { createdBefore: '2026-11-12' }],
  ['tensors older than 3 days', { createdBefore: '2026-11-16' }],
  ['Anything uploaded between 10 November and 15 November 2026?', from('2026-11-10', '2026-11-16')],
  ['tensors uploaded from 2026-11-10 to 2026-11-15', undefined],
  ['tensors uploaded between Monday and yesterday', from('2026-11-16', '2026-11-19')],
  ['tensors not from this week', { unless: [from('2026-11-16', '2026-11-20')] }],
  ['Los tensores que no son de hoy', { unless: [from('2026-11-19', '2026-11-20')] }],
  ['tensors uploaded yesterday or today', from('2026-11-18', '2026-11-20')],
  ['tensors uploaded today and yesterday', from('2026-11-18', '2026-11-20')],
  [
    'tensors uploaded today or in October',
    { anyOf: [from('2026-11-19', '2026-11-20'), from('2026-10-01', '2026-11-01')] },
  ],
  ['tensors from more than two weeks ago', { createdBefore: '2026-11-05' }],
  ['tensors created in 2025', from('2025-01-01', '2026-01-01')],
  ['tensors created last year', from('2025-01-01', '2026-01-01')],
  ['tensors created this year', from('2026-01-01', '2026-11-20')],
  ['tensors uploaded on 31 February', undefined],
  ['tensors uploaded next week', undefined],
  ['tensors uploaded this Friday', undefined],
  ['tensors uploaded on 10/11/2026', undefined],
];

describe('words of the calendar', () => {
  for (const [prompt, filter] of PERIODS) test(prompt, () => expect(filterOf(prompt)).toEqual(filter));
});
