import { describe, expect, it } from 'vitest';
import { PeopleSheet, type SheetOptions } from '../../src/people-sheet/people-sheet.js';
import { isMissing } from '../../src/people-sheet/sheet-cells.js';

const OPTIONS: SheetOptions = {
  ...{ unit: undefined, massUnit: 'kg', wanted: [], ranges: true, decimalComma: false },
  ...{ everyone: {}, said: new Map() },
};
const open = (headings: string, options: Partial<SheetOptions> = {}, ...rows: string[]) =>
  new PeopleSheet(
    headings.split(','),
    { ...OPTIONS, ...options },
    rows.map((row) => row.split(',')),
  );

// cspell:disable
describe('words of languages', () => {
  // Country, gender, age, mass and stature in the languages of the search.
  it.each([
    ['Land,Geschlecht,Alter,Gewicht (kg),Körpergröße (cm)', 'weiblich'],
    ['Pays,Sexe,Âge,Poids (kg),Taille debout (cm)', 'féminin'],
    ['País,Sexo,Edad (años),Peso (kg),Estatura (cm)', 'mujer'],
    ['País,Sexo,Idade,Peso (kg),Altura corporal (cm)', 'feminino'],
    ['Paese,Sesso,Età,Peso (kg),Statura (cm)', 'femmina'],
    ['Land,Geslacht,Leeftijd,Lichaamsgewicht (kg),Lichaamslengte (cm)', 'vrouw'],
    ['Kraj,Płeć,Wiek,Waga (kg),Wzrost (cm)', 'kobieta'],
    ['Ülke,Cinsiyet,Yaş,Ağırlık (kg),Boy uzunluğu (cm)', 'kadın'],
    ['Страна,Пол,Возраст,Вес (кг),Рост (см)', 'женский'],
    ['国家,性别,年龄,体重 (公斤),身高 (厘米)', '女'],
    ['国,性別,年齢,体重 (kg),身長 (cm)', '女性'],
    ['국가,성별,나이,체중 (kg),키 (cm)', '여성'],
    ['देश,लिंग,उम्र,वजन (kg),कद (cm)', 'महिला'],
    ['البلد,الجنس,العمر,الوزن (kg),الطول (cm)', 'أنثى'],
    ['Negara,Jenis Kelamin,Umur,Berat Badan (kg),Tinggi Badan (cm)', 'P'],
    ['Quốc gia,Giới tính,Tuổi,Cân nặng (kg),Chiều cao (cm)', 'Nữ'],
    ['দেশ,লিঙ্গ,বয়স,ওজন (kg),উচ্চতা (cm)', 'মহিলা'],
    ['ملک,جنس,عمر,وزن (kg),قد (cm)', 'عورت'],
    ['దేశం,లింగం,వయస్సు,బరువు (kg),ఎత్తు (cm)', 'స్త్రీ'],
    ['நாடு,பாலினம்,வயது,எடை (kg),உயரம் (cm)', 'பெண்'],
    ['nchi,jinsia,umri,uzito (kg),urefu (cm)', 'mwanamke'],
    ['bansa,kasarian,edad,timbang (kg),taas (cm)', 'babae'],
    ['ประเทศ,เพศ,อายุ,น้ำหนัก (kg),ส่วนสูง (cm)', 'หญิง'],
    ['country,RIAGENDR,RIDAGEYR,BMXWT,BMXHT', '2'],
  ])('%s', (headings, woman) => {
    const row = open(headings).read(['NL', woman, '40', '65', '170']);
    expect(row).toMatchObject({
      request: {
        ...{ country: 'NL', gender: 'Female', age: 40 },
        known: [
          { measurement: 'BodyMass', value: 65, unit: 'kg' },
          { measurement: 'Stature', value: 170, unit: 'cm' },
        ],
      },
    });
  });

  it('reads M beside H as a woman (hombre, mujer)', () => {
    const sheet = open('country,sexo,age,Stature', {}, 'ES,H,40,1700', 'ES,M,30,1600');
    expect(sheet.read(['ES', 'M', '30', '1600'])).toMatchObject({ request: { gender: 'Female' } });
    expect(sheet.read(['ES', 'H', '30', '1600'])).toMatchObject({ request: { gender: 'Male' } });
  });

  it('a heading with kg is a mass, is refused, or is named as not used', () => {
    expect(() => open('country,gender,age,Stature,Load (kg)')).toThrow(
      '--columns "Load (kg)=BodyMass"',
    );
    const said = new Map([['Load', 'none']]);
    expect(open('country,gender,age,Stature,Load (kg)', { said }).report.notUsed).toEqual([
      '"Load (kg)" is not used: as --columns says.',
    ]);
    expect(open('country,gender,age,peso (kg),Grasa (kg)').report.notUsed).toEqual([
      '"Grasa (kg)" is not used: another column is the mass of the body.',
    ]);
  });

  it('maps cells with --values, and asks about 1 and 2', () => {
    const values = new Map([['2', 'Female']]);
    const read = (options: Partial<SheetOptions>) =>
      open('country,gender,age,Stature', { ranges: false, ...options }).read([
        'NL',
        '2',
        '40',
        '1700',
      ]);
    expect(read({ values, ranges: true })).toMatchObject({ request: { gender: 'Female' } });
    expect(read({})).toMatchObject({
      status: 'refused',
      reason: expect.stringContaining('--values "2=Male" or --values "2=Female"'),
    });
  });
});

describe('ages', () => {
  it.each([
    ['Age (months)', '18', 1.5],
    ['Agemos', '24', 2],
    ['edad_meses', '6', 0.5],
    ['Age (weeks)', '26', 0.498],
    ['Umur (bulan)', '0', 0],
    ['AgeInYearsAtScreening', '2', 2],
    ['age', '18 months', 1.5],
    ['age', '2y 3m', 2.25],
    ['age', '3 years', 3.5],
  ])('%s %s is %s years', (heading, text, years) => {
    const row = open(`country,gender,${heading},Stature`).read(['NL', 'f', text, '850']);
    expect(row).toMatchObject({ request: { age: expect.closeTo(years, 3) } });
  });

  it('follow from dates, the finest column, or nothing; a row without one is never complete', () => {
    const rows = [
      'NL,f,2019-06-30,31/12/2020,850',
      'NL,f,,1/2/2020,850',
      'NL,f,1.2.2020,13/3/2021,',
    ];
    const dates = open('country,gender,DOB,date of measurement,Stature', {}, ...rows);
    const [first, second, third] = rows.map((row) => dates.read(row.split(',')));
    expect(first).toMatchObject({ request: { age: expect.closeTo(1.506, 3) } });
    expect(second).toMatchObject({ reason: expect.stringContaining('age is empty') });
    expect(third).toMatchObject({ reason: expect.stringContaining('no measurement') });
    const both = open('country,gender,RIDAGEYR,RIDEXAGM,Stature');
    expect(both.read(['NL', 'f', '1', '20', '850'])).toMatchObject({
      request: { age: expect.closeTo(20 / 12, 9) },
    });
    expect(both.read(['NL', 'f', '40', '', '1700'])).toMatchObject({ request: { age: 40 } });
    const full = open('country,gender,age,Stature', { ranges: false });
    for (const age of ['', 'x', '22469']) {
      expect(full.read(['NL', 'f', age, '1700'])).toMatchObject({ status: 'refused' });
    }
    expect(() => open('country,gender,DOB,Stature')).toThrow('needs a date of measurement');
    expect(() => open('country,gender,Age group,Stature')).toThrow('"Age group" is not used');
  });
});

// cspell:enable
describe('units and notation', () => {
  it('reads the columns and units of DHS, a jin and camel case, and names other units', () => {
    const read = (headings: string, ...cells: string[]) => {
      const row = open(`country,${headings}`).read(['NP', ...cells]);
      return 'request' in row
        ? row.request.known.map(({ value, unit }) => `${value} ${unit}`)
        : row;
    };
    expect(read('hc27,hc1,hc2,hc3', '2', '24', '113', '842')).toEqual(['11.3 kg', '842 mm']);
    expect(read('sex,age,weight_jin,StandingHeightCm', 'f', '30', '120', '160')).toEqual([
      ...['60 kg', '160 cm'],
    ]);
    expect(open('country,sex,age,Stature,weight (hands)').report.notUsed).toEqual([
      expect.stringContaining('"hands" is no unit that is known here'),
    ]);
  });

  it('--unit holds for all lengths without one', () => {
    const headings =
      'country,gender,age,Stature,knee circumference,hip girth,neck girth,chest girth';
    const row = open(headings, { unit: 'cm' }).read('NL,f,40,170,38,100,34,92'.split(','));
    expect(row).toMatchObject({
      request: { known: Array.from({ length: 5 }, () => ({ unit: 'cm' })) },
    });
  });

  it('reads and writes metres, feet and stone, and asks about 5.11 feet', () => {
    const sheet = open('country,gender,age,Stature (m),weight (st),Span (ft)', { ranges: false });
    const row = sheet.read(['NL', 'f', '40', '1.72', '11 st 4 lb', '']);
    expect(row).toMatchObject({
      request: {
        known: [
          { measurement: 'Stature', value: 1720, unit: 'mm' },
          { measurement: 'BodyMass', value: 158, unit: 'lb' },
        ],
      },
    });
    expect(sheet.read(['NL', 'f', '40', '1.72', '', `5'13"`])).toMatchObject({
      reason: expect.stringContaining('13 inches are more than a foot'),
    });
    if (!('request' in row)) throw new Error('no request');
    const completed = [{ measurement: 'Span', expected: 1524, low: 1500, high: 1600 }];
    expect(sheet.answered(row.cells, row.request, { completed })[5]).toBe('5');
    expect(sheet.read(['NL', 'f', '40', '1.72', '', '5.11'])).toMatchObject({
      reason: expect.stringContaining(`may mean 5'11" or 61.32 in`),
    });
  });

  it('--columns wins over the heading, and names a heading that does not exist', () => {
    const said = new Map([
      ['foo', 'Stature (cm)'],
      ['Stature', 'none'],
    ]);
    const sheet = open('country,gender,age,Foo,Stature', { said });
    expect(sheet.read(['NL', 'f', '40', '170', 'x'])).toMatchObject({
      request: { known: [{ measurement: 'Stature', value: 170, unit: 'cm' }] },
    });
    expect(() => open('country,gender,age,Stature', { said: new Map([['Bar', 'Span']]) })).toThrow(
      '--columns: no column has the heading "Bar".',
    );
  });
});

describe('missing values', () => {
  it.each(['NA', 'N/A', 'NaN', 'NULL', '#N/A', '-', '-9992', '−9992', '999', '9999'])(
    '%s is one beside statures in cm',
    (text) => expect(isMissing(text, [150, 199])).toBe(true),
  );
  it('99 kg is none beside masses, 999 is', () => {
    expect(isMissing('99', [50, 110])).toBe(false);
    expect(isMissing('999', [50, 110])).toBe(true);
    expect(isMissing('999', [850, 1100])).toBe(false);
  });
  it('are counted, open, and never complete alone', () => {
    const rows = ['NL,f,40,170,60', 'NL,f,30,999,61', 'NA,f,NA,NA,-'];
    const sheet = open('country,gender,age,Stature (cm),weight', { ranges: false }, ...rows);
    const read = rows.map((row) => sheet.read(row.split(',')));
    expect(read[0]).toMatchObject({ status: 'complete' });
    expect(read[1]).toMatchObject({ request: { known: [{ measurement: 'BodyMass' }] } });
    expect(read[2]).toMatchObject({
      status: 'refused',
      reason: expect.stringContaining('age is empty'),
    });
    expect([...sheet.missing]).toEqual([['999', 1]]);
    // NA is Namibia.
    expect(sheet.read(['NA', 'f', '40', '', '60'])).toMatchObject({ request: { country: 'NA' } });
  });
});
