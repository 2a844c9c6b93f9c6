-- A database as askuser 0.1.0 wrote it (schema 13). Never changed.
PRAGMA foreign_keys = OFF;
PRAGMA application_id = 1095977813;
BEGIN TRANSACTION;
CREATE TABLE answer_link (
    n INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    ask BLOB NOT NULL,
    user INTEGER NOT NULL REFERENCES user (n),
    channel TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    used_at INTEGER
) STRICT;
CREATE TABLE "ask" (
    n INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    session INTEGER NOT NULL REFERENCES session (n),
    owner TEXT NOT NULL,
    round INTEGER NOT NULL,
    depth INTEGER NOT NULL,
    -- 0 open, 1 ended and not handed over yet, 2 handed over (or never to be).
    standing INTEGER NOT NULL CHECK (standing BETWEEN 0 AND 2),
    state TEXT NOT NULL,
    -- When something is next to happen to it by itself.
    deadline INTEGER,
    idempotency_key TEXT,
    -- The number of the fact that ended it.
    closed INTEGER,
    outcome TEXT,
    sheet TEXT,
    late TEXT,
    dropped TEXT,
    erased_at INTEGER,
    people TEXT
) STRICT;
INSERT INTO "ask" VALUES(1,X'01A1EAC505C270009A47FCF99A39B29E',1,'local',1,1,1,'closed',NULL,'cli-01a1eac503fe70008579e0402493a8dd',4,'{"ending":{"answered":"person"},"by":{"user":"local","channel":"api","proof":"key_file"},"at":1794940143223,"answers":[{"question":"q1","picked":["a"]}]}',NULL,NULL,NULL,NULL,NULL);
INSERT INTO "ask" VALUES(2,X'01A1EAC507427000B64EB2F268D28A1D',1,'local',2,1,1,'closed',NULL,'cli-01a1eac507287000be2578e2e8fa2540',7,'{"ending":"declined","by":{"user":"local","channel":"api","proof":"key_file"},"at":1794940143758,"comment":"not now","answers":[{"question":"q2","skipped":true}]}',NULL,NULL,NULL,NULL,NULL);
INSERT INTO "ask" VALUES(3,X'01A1EAC5094B700092BF61B57D9D3903',1,'local',3,1,2,'completed',1794940144947,'cli-01a1eac5090d700086cfe799b0d732f2',10,'{"ending":{"expired":{"told_as":"timeout","abort":false}},"by":{"channel":"server","proof":"server"},"at":1794940144968,"answers":[{"question":"q3","skipped":true}]}',NULL,NULL,NULL,NULL,NULL);
INSERT INTO "ask" VALUES(4,X'01A1EAC50E38700092F99F4C190A5B2E',2,'local',1,1,0,'showing',NULL,'cli-01a1eac503fe70008579e0402493a8dd',NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "ask" VALUES(5,X'01A1EAC50ED47000A94F5179A50421A2',1,'local',4,1,0,'showing',NULL,'cli-01a1eac50ed270008b3c71ecec4c00de',NULL,NULL,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE ask_body (
    n INTEGER PRIMARY KEY,
    body TEXT NOT NULL
) STRICT;
INSERT INTO "ask_body" VALUES(1,'{"session":"ses_01M7NCA1E2E00TK9QHAQZPAERD","ask":"ask_01M7NCA1E2E009MHZWZ6D3KCMY","owner":"local","asked_by":"01a1eac5056d70008664c104536d3100","round":1,"depth":1,"questions":[{"id":"q1","named_by":"asker","header":"q1","text":"q1?","kind":"one_of","choices":[{"id":"a","label":"A"},{"id":"b","label":"B"}],"free":{"chars_min":1,"chars_max":1000},"required":true}],"terms":{"project":"srv","folder":"/srv","session":"conversation","idempotency_key":"cli-01a1eac503fe70008579e0402493a8dd","reply_in":"full"},"fingerprint":"1ee8a8921906f20daf7519783179d978","asked_at":1794940143042,"state":"pending"}');
INSERT INTO "ask_body" VALUES(2,'{"session":"ses_01M7NCA1E2E00TK9QHAQZPAERD","ask":"ask_01M7NCA1T2E00BCKNJY9MD52GX","owner":"local","asked_by":"01a1eac5056d70008664c104536d3100","round":2,"depth":1,"questions":[{"id":"q2","named_by":"asker","header":"q2","text":"q2?","kind":"one_of","choices":[{"id":"a","label":"A"},{"id":"b","label":"B"}],"free":{"chars_min":1,"chars_max":1000},"required":true}],"terms":{"project":"srv","folder":"/srv","session":"conversation","idempotency_key":"cli-01a1eac507287000be2578e2e8fa2540","reply_in":"full"},"fingerprint":"62b0e06ba2b57a0059fafafc143eb32d","asked_at":1794940143426,"state":"pending"}');
INSERT INTO "ask_body" VALUES(3,'{"session":"ses_01M7NCA1E2E00TK9QHAQZPAERD","ask":"ask_01M7NCA2ABE0095FV1PNYSTE83","owner":"local","asked_by":"01a1eac5056d70008664c104536d3100","round":3,"depth":1,"questions":[{"id":"q3","named_by":"asker","header":"q3","text":"q3?","kind":"one_of","choices":[{"id":"a","label":"A"},{"id":"b","label":"B"}],"free":{"chars_min":1,"chars_max":1000},"required":true}],"terms":{"project":"srv","folder":"/srv","session":"conversation","timeout":[1,0],"idempotency_key":"cli-01a1eac5090d700086cfe799b0d732f2","reply_in":"full"},"fingerprint":"1b3de9c6e16293ad210aa578b796a495","asked_at":1794940143947,"deadline":1794940144947,"state":"pending"}');
INSERT INTO "ask_body" VALUES(4,'{"session":"ses_01M7NCA3HRE00SY5GT7CS6NX31","ask":"ask_01M7NCA3HRE0095YCZ9GCGMPSE","owner":"local","asked_by":"01a1eac5056d70008664c104536d3100","round":1,"depth":1,"questions":[{"id":"q1","named_by":"asker","header":"q1","text":"q1?","kind":"one_of","choices":[{"id":"a","label":"A"},{"id":"b","label":"B"}],"free":{"chars_min":1,"chars_max":1000},"required":true}],"terms":{"project":"srv","folder":"/srv","session":"conversation","idempotency_key":"cli-01a1eac503fe70008579e0402493a8dd","reply_in":"full"},"fingerprint":"1ee8a8921906f20daf7519783179d978","asked_at":1794940145208,"state":"pending","reopens":"ask_01M7NCA1E2E009MHZWZ6D3KCMY"}');
INSERT INTO "ask_body" VALUES(5,'{"session":"ses_01M7NCA1E2E00TK9QHAQZPAERD","ask":"ask_01M7NCA3PME00AJKTHF6JG88D2","owner":"local","asked_by":"01a1eac5056d70008664c104536d3100","round":4,"depth":1,"questions":[{"id":"q5","named_by":"asker","header":"q5","text":"q5?","kind":"one_of","choices":[{"id":"a","label":"A"},{"id":"b","label":"B"}],"free":{"chars_min":1,"chars_max":1000},"required":true}],"terms":{"project":"srv","folder":"/srv","session":"conversation","idempotency_key":"cli-01a1eac50ed270008b3c71ecec4c00de","reply_in":"full"},"fingerprint":"b810e0db75629152e4949a7258948671","asked_at":1794940145364,"state":"pending"}');
CREATE TABLE ask_question (
    session INTEGER NOT NULL,
    question TEXT NOT NULL,
    ask INTEGER NOT NULL,
    PRIMARY KEY (session, question, ask)
) STRICT, WITHOUT ROWID;
INSERT INTO "ask_question" VALUES(1,'q1',1);
INSERT INTO "ask_question" VALUES(1,'q2',2);
INSERT INTO "ask_question" VALUES(1,'q3',3);
INSERT INTO "ask_question" VALUES(1,'q5',5);
INSERT INTO "ask_question" VALUES(2,'q1',4);
CREATE TABLE browser (
    n INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    user INTEGER NOT NULL REFERENCES user (n),
    endpoint TEXT NOT NULL,
    key BLOB NOT NULL,
    auth BLOB NOT NULL,
    language TEXT NOT NULL,
    at INTEGER NOT NULL
) STRICT;
CREATE TABLE confirmed_rule (
    n INTEGER PRIMARY KEY,
    person TEXT NOT NULL,
    digest BLOB NOT NULL,
    at INTEGER NOT NULL,
    entry TEXT NOT NULL,
    UNIQUE (person, digest)
) STRICT;
CREATE TABLE cookie (
    n INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    user INTEGER NOT NULL REFERENCES user (n),
    expires_at INTEGER NOT NULL
) STRICT;
CREATE TABLE "fact" (
    number INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    session INTEGER NOT NULL,
    -- The fact before it in its session; none for the first.
    before INTEGER,
    ask INTEGER,
    salt BLOB,
    digest BLOB NOT NULL,
    hash BLOB NOT NULL,
    -- None for `asked`: it is the ask's body.
    payload TEXT
) STRICT;
INSERT INTO "fact" VALUES(1,1794940143042,'session_opened',1,NULL,NULL,X'32D58BF0A28995C15C51F0DB82809C5C',X'32A0BD90F94024AD518EBD22FC1788BC1B6BBE7D09F1D097B6FBB40E9D760429',X'774D18F348A92692E4C6C3D01AFA0E933BFE889580B007FAECFB49F01542E5D5','{"session":"ses_01M7NCA1E2E00TK9QHAQZPAERD","owner":"local","external_id":"conversation","origin":"named","status":"active","round":0,"created_at":1794940143042,"last_activity":1794940143042}');
INSERT INTO "fact" VALUES(2,1794940143042,'asked',1,1,1,X'1A00241D0C0114987FB3DE867F4D9694',X'53D80FAFA607B020DD43C22AF147D4E5ED976B20EE9CA523E6E9EB711AAA1CFB',X'29B9EA2DF74F13709F43F7FAD72854EF2BD3FA61A54821302825F43C60992F95',NULL);
INSERT INTO "fact" VALUES(3,1794940143042,'shown',1,2,1,X'5D60A5F4931D47959106F91839A1ED79',X'EB542D7693AED176BE06D350703FE1D196ECBFEFFD9C7B9712EAA66041B775F1',X'BCB015631043F0C32B0D3B465423FB1BF0786DFBB4A724F78A2D5F67B3C64282','{"session":"ses_01M7NCA1E2E00TK9QHAQZPAERD","ask":"ask_01M7NCA1E2E009MHZWZ6D3KCMY"}');
INSERT INTO "fact" VALUES(4,1794940143223,'closed',1,3,1,X'243A8CA61A2DE3CE83957D7EFEE35486',X'510C4F43A0C53EF435D53F9F47B800324EA12783AE1FFB3F96C01161E048CC26',X'54F4F9FDE84292BFBC71AFF019B2694753901FE6B9BC94A5EC7CA6B477BF2952','{"session":"ses_01M7NCA1E2E00TK9QHAQZPAERD","ask":"ask_01M7NCA1E2E009MHZWZ6D3KCMY","outcome":{"ending":{"answered":"person"},"by":{"user":"local","channel":"api","proof":"key_file"},"at":1794940143223,"answers":[{"question":"q1","picked":["a"]}]},"from":"127.0.0.1"}');
INSERT INTO "fact" VALUES(5,1794940143426,'asked',1,4,2,X'4677888AD0BF00766EB31744564A437B',X'B88B73A6B27C70034BB531E134CE20880AFB80E6CB37EA2A5C67F72A94F68CDB',X'73AEDF62559DE96B3E3D56488352CFCFD50A09C039273CF897988F687641C4F7',NULL);
INSERT INTO "fact" VALUES(6,1794940143426,'shown',1,5,2,X'E0E071E6252EEDE366E3F9B9A07F145F',X'7C1604D0767B1414F3523FE1E5F81EA7940D2BF08B693D2E076BE8C44FFA7F62',X'36397E3F81B3D4F84974569273F79C5D00FC4C70ABD08D622D9F918874895A36','{"session":"ses_01M7NCA1E2E00TK9QHAQZPAERD","ask":"ask_01M7NCA1T2E00BCKNJY9MD52GX"}');
INSERT INTO "fact" VALUES(7,1794940143758,'closed',1,6,2,X'827BB7D74C2902B11E544EE09DFAEAEC',X'357B30D6805A4E4203D4D7B094297BA2925B5BADF01AAE7E0320ACEBD1D09FC6',X'C40157BB644C4B513B33A7AAFD05F68A43912C8BE9AA89BFB9CA6AE30AF52E3A','{"session":"ses_01M7NCA1E2E00TK9QHAQZPAERD","ask":"ask_01M7NCA1T2E00BCKNJY9MD52GX","outcome":{"ending":"declined","by":{"user":"local","channel":"api","proof":"key_file"},"at":1794940143758,"comment":"not now","answers":[{"question":"q2","skipped":true}]},"from":"127.0.0.1"}');
INSERT INTO "fact" VALUES(8,1794940143947,'asked',1,7,3,X'E4B945413EC9CDB76500334E4A9127AD',X'F6FB1C4273F9DC2D161F220AF1515815257BF6CB4163D6D6DA4C4BCA4AE24459',X'9700FF9F81F9042A23CAE4C2F22B625AD598EE4CA948937AEFEF40202F15372C',NULL);
INSERT INTO "fact" VALUES(9,1794940143947,'shown',1,8,3,X'E9CD0DB4E791B1DB36F1BE425FB67954',X'B58FB77A21FA8B76E004237B2ED546782C075F5C4EEEECB7B1B2ACFBC95BC1AE',X'51CC290462E007E05EB58095CE0FBB14AB9D8BE6A3375146780A1C5601D135DF','{"session":"ses_01M7NCA1E2E00TK9QHAQZPAERD","ask":"ask_01M7NCA2ABE0095FV1PNYSTE83"}');
INSERT INTO "fact" VALUES(10,1794940144968,'closed',1,9,3,X'5A2AC0A10FA77B3E7A6A42179408F634',X'AF51B87D8EAB003640E279A5C6DEB11970FA28B2136B66D08612D08BF68982E3',X'8DCEBFCD8D577274D984B6A482BA101A0017643A841FA831D43F06F9438FBD47','{"session":"ses_01M7NCA1E2E00TK9QHAQZPAERD","ask":"ask_01M7NCA2ABE0095FV1PNYSTE83","outcome":{"ending":{"expired":{"told_as":"timeout","abort":false}},"by":{"channel":"server","proof":"server"},"at":1794940144968,"answers":[{"question":"q3","skipped":true}]}}');
INSERT INTO "fact" VALUES(11,1794940145010,'delivered',1,10,3,X'9735263C77C70448877FD9458D9BA63A',X'604BD1DC77C1B47BBC8DB82528B19C064105C2F3DC1296EFEC8F0F6F9BBE5847',X'598EF2277583C978E49678244FAE2EB36209F6E3A1850D021A2AE39D964A29C3','{"session":"ses_01M7NCA1E2E00TK9QHAQZPAERD","ask":"ask_01M7NCA2ABE0095FV1PNYSTE83"}');
INSERT INTO "fact" VALUES(12,1794940145010,'acknowledged',1,11,3,X'A5D6CA3D0CB3E092613CBC6ED071BE55',X'0B7FFFAACF8923F12835140A2F25F651930D0523E5E6DC9D61283A4A2D7A24B2',X'F09443B880CA0885CAADB7F411EBCA94AE580105ADEAC35B8A79B4770C643841','{"session":"ses_01M7NCA1E2E00TK9QHAQZPAERD","ask":"ask_01M7NCA2ABE0095FV1PNYSTE83"}');
INSERT INTO "fact" VALUES(13,1794940145208,'session_opened',2,NULL,NULL,X'7DE529AFF7F2B0395DED73174E841268',X'30302CBB244458549DD7AFA73E16CB2D5A6DB91EF1FB9954F6342457908B53D0',X'1874C16DF459307F815A5C5DA6A6F3BF93248B0C7FFCE345EBAEF32C70895E05','{"session":"ses_01M7NCA3HRE00SY5GT7CS6NX31","owner":"local","origin":{"restored":"ses_01M7NCA1E2E00TK9QHAQZPAERD"},"status":"active","round":0,"created_at":1794940145208,"last_activity":1794940145208}');
INSERT INTO "fact" VALUES(14,1794940145208,'asked',2,13,4,X'74016DA84CD132D0AF96C36ED618DB3D',X'A2AC576F1747DC115856DAF85306EEBAFE4421D31BA50FD116BC0E435ADD97AD',X'345950EF1A969ED5B31E38F2FD8ED51868D44351D421134322C97ECDB1F7A778',NULL);
INSERT INTO "fact" VALUES(15,1794940145208,'shown',2,14,4,X'8A873AE3CDD459F6887ACCCACA1CC164',X'A479FE953ACE3DAACD9A118A5B1D8592F3D6F6F2CF2D32CAB36FD59161BAF05A',X'D36B7CE0834F03FFCC909C9637BEC9B2B54650FEAA1AA77C597E21A0FA39424A','{"session":"ses_01M7NCA3HRE00SY5GT7CS6NX31","ask":"ask_01M7NCA3HRE0095YCZ9GCGMPSE"}');
INSERT INTO "fact" VALUES(16,1794940145364,'asked',1,12,5,X'40E573C4BC0EF08209FAFEC478ECF148',X'5D4BED8A8BB29B33BFC89E41FF11B7B3072306179A4E3C5AD2845B734DA168C9',X'87A30BEEB078C8FE28E8C1D8CD7473C764B28CA19B0B8D8B7AEDD6E9AE1040CB',NULL);
INSERT INTO "fact" VALUES(17,1794940145364,'shown',1,16,5,X'9CF8288DBC08D57C41B547DE6E4EE76E',X'7F3854BE03599851DE2D2C37B8A9A21BDD91D8D379E24A09800A1B39B31F0A50',X'2E1940A90FB3594FD5E03DA75BAD9B3F077E84354189EAB4C9F346B0CAB8FE97','{"session":"ses_01M7NCA1E2E00TK9QHAQZPAERD","ask":"ask_01M7NCA3PME00AJKTHF6JG88D2"}');
INSERT INTO "fact" VALUES(18,1794940145914,'session_opened',3,NULL,NULL,X'B5E4C5B122670F12F45CA737A3107FB1',X'EE3A22246382576C161A6D141E8BE980C4C0699EDEE5E11AEB1E1F71FAE6FC7E',X'F51A4F3138176B06C2894DA8129A3552F58D0A6B42669D861833615162F0CD54','{"session":"ses_01M7NCA47TE00RVR2EPY99HW6W","owner":"local","origin":"named","status":"active","round":0,"created_at":1794940145914,"last_activity":1794940145914}');
INSERT INTO "fact" VALUES(19,1794940145914,'task_changed',3,18,NULL,X'6CE96AF9DD882464E9735381671656EE',X'10F431964D431012D51C2B23F5800D811341AB054FB5DA52E238E7128B501DD6',X'F7DF82C5B354089394990DE613D9802339C27FF0EF5DFE1174E70EE10961321E','{"session":"ses_01M7NCA47TE00RVR2EPY99HW6W","by":{"user":"local","channel":"api","proof":"key_file"},"task":{"task":"task_01M7NCA47TE00A578ZZ36RN2PS","session":"ses_01M7NCA47TE00RVR2EPY99HW6W","owner":"local","agent":"scripted","folder":"/srv","text":"look around","state":"queued","n_runs":1,"server":"srv_693Y10ZT9C79708BRR2T80FK1P","created_at":1794940145914,"changed_at":1794940145914}}');
INSERT INTO "fact" VALUES(20,1794940145914,'said',3,19,NULL,X'7861D8451D6E5C0F1295D7EFC270D889',X'DEAE6D47F034FEF7A03F4E9788A838B8759381352E096621B2222586F1F61F8E',X'1DF0FE3E7194C1D8F2CEB406FDD8BB322878964B3C370F1D0065F68AB0AE449C','{"session":"ses_01M7NCA47TE00RVR2EPY99HW6W","uuid":"01a1eac5-10fa-7002-88b9-0e4d324524d0","round":0,"at":1794940145914,"kind":"text","text":"look around","by":"person"}');
INSERT INTO "fact" VALUES(21,1794940145924,'task_changed',3,20,NULL,X'4B43378BB5CA623B3BCFF62EE0C38199',X'1B5DD735FAB5F5A02E9D360A4829BD0BCB602C27D032059ABD3F2D7F5A817A10',X'65B5CD0AA4747D00FA74ED5A6EA4ED79D81ECF20ABEF3952E9C36B1878EEB706','{"session":"ses_01M7NCA47TE00RVR2EPY99HW6W","by":{"channel":"server","proof":"server"},"task":{"task":"task_01M7NCA47TE00A578ZZ36RN2PS","session":"ses_01M7NCA47TE00RVR2EPY99HW6W","owner":"local","agent":"scripted","folder":"/srv","text":"look around","state":"running","n_runs":1,"server":"srv_693Y10ZT9C79708BRR2T80FK1P","pid":8728,"pid_started":322030,"created_at":1794940145914,"changed_at":1794940145924}}');
INSERT INTO "fact" VALUES(22,1794940145958,'said',3,21,NULL,X'C3852993EBF031E0F3A2E727FE14E3CE',X'E9D61C04014520242B54AB5AC17E9F698231D57E97656F65B014AC9877AB1652',X'84C635D396FE8488BB6B7521AE0F614315CC6C933A2B3CFF23C689DAC0E3C296','{"session":"ses_01M7NCA47TE00RVR2EPY99HW6W","uuid":"01a1eac5-111c-7000-a1be-da7930e3f6ba","parent":"01a1eac5-10fa-7002-88b9-0e4d324524d0","round":0,"at":1794940145958,"kind":"error","text":"the agent ended before its work was done (exit status: 98): expected @ANY@\nbut heard {\"type\":\"control_request\",\"request_id\":\"askuser-initialize\",\"request\":{\"subtype\":\"initialize\"}}"}');
INSERT INTO "fact" VALUES(23,1794940145970,'task_changed',3,22,NULL,X'799CF37F0A3AA7F64FB82F3CCF6F89A1',X'DF04B8FA9232B16F7FE1A529B55CF4053A8C023358EB188D4EC388AE8230DBEE',X'95F207DB65D2441D1CC4F22FB058490453B8078E06369A48D326A9B2A1C57308','{"session":"ses_01M7NCA47TE00RVR2EPY99HW6W","by":{"channel":"server","proof":"server"},"task":{"task":"task_01M7NCA47TE00A578ZZ36RN2PS","session":"ses_01M7NCA47TE00RVR2EPY99HW6W","owner":"local","agent":"scripted","folder":"/srv","text":"look around","state":"failed","reason":"the agent ended before its work was done (exit status: 98): expected @ANY@\nbut heard {\"type\":\"control_request\",\"request_id\":\"askuser-initialize\",\"request\":{\"subtype\":\"initialize\"}}","n_runs":1,"server":"srv_693Y10ZT9C79708BRR2T80FK1P","created_at":1794940145914,"changed_at":1794940145970}}');
CREATE TABLE head (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    number INTEGER NOT NULL,
    hash BLOB NOT NULL
) STRICT;
INSERT INTO "head" VALUES(1,23,X'95F207DB65D2441D1CC4F22FB058490453B8078E06369A48D326A9B2A1C57308');
CREATE TABLE key (
    n INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    hash BLOB NOT NULL UNIQUE,
    role TEXT NOT NULL CHECK (role IN ('agent', 'person', 'admin')),
    user INTEGER NOT NULL REFERENCES user (n),
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    revoked_at INTEGER
) STRICT;
INSERT INTO "key" VALUES(1,X'01A1EAC5056D70008664C104536D3100',X'8462B7DC11CC953F6E33CC4556BDC80FA16113C167B2DC2BB122964BE51728F8','agent',1,'local',1794940142957,NULL);
INSERT INTO "key" VALUES(2,X'01A1EAC505897000A802E475BFCD8482',X'FC4D0D679FEEE2FBE823D4573CAF1D254CE5D2A84302404ACE596903E2C4BB62','person',1,'local',1794940142985,NULL);
INSERT INTO "key" VALUES(3,X'01A1EAC5058A70009391664D6BD247FD',X'D64BA1E3CC5A7BC9EF79DB14D6B4AF3B2AF43D88BDFE457C4BBEC224ABAD29D7','admin',1,'local',1794940142986,NULL);
INSERT INTO "key" VALUES(4,X'01A1EAC5106E7000B940B69AB39DCC7F',X'137BD501EA7EFF3CA6F03A84307B545AD2E96040057FD35F83080CE8BE40CD25','agent',2,'made by hand',1794940145774,NULL);
CREATE TABLE login_link (
    n INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    user INTEGER NOT NULL REFERENCES user (n),
    expires_at INTEGER NOT NULL
) STRICT;
CREATE TABLE made_rule (
    n INTEGER PRIMARY KEY,
    person TEXT NOT NULL,
    ask BLOB NOT NULL,
    place INTEGER NOT NULL,
    mark BLOB NOT NULL,
    made_at INTEGER NOT NULL,
    until INTEGER NOT NULL,
    entry TEXT NOT NULL,
    UNIQUE (person, ask, place)
) STRICT;
CREATE TABLE nudge (
    n INTEGER PRIMARY KEY,
    ask BLOB NOT NULL,
    person TEXT NOT NULL,
    step INTEGER NOT NULL,
    channel TEXT NOT NULL,
    at INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('trying', 'waiting', 'sent', 'over')),
    receipt TEXT,
    UNIQUE (ask, person, step, channel)
) STRICT;
CREATE TABLE push_key (
    n INTEGER PRIMARY KEY CHECK (n = 1),
    pkcs8 BLOB NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;
CREATE TABLE schema_migration (
    version INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    applied_at INTEGER NOT NULL,
    program TEXT NOT NULL
) STRICT;
INSERT INTO "schema_migration" VALUES(1,'first','779101552a9b76296edf599c84b60add43d0a032bca6b269bf4467c275213db0',1794940142742,'0.1.0');
INSERT INTO "schema_migration" VALUES(2,'restore','5d17a5626bd19cf04a8606b71512d07d7fe044b5ad066e9bc0540ea9bc696987',1794940142742,'0.1.0');
INSERT INTO "schema_migration" VALUES(3,'threads','b59415a3306ea0cc15d01e3f39ab670140878b8c649c85975af90adbc68bc2d1',1794940142742,'0.1.0');
INSERT INTO "schema_migration" VALUES(4,'tasks','3bcb7eb16d60d44cf1f139be85ff173836859363d39e7fbb197af6a7ef1b59e2',1794940142742,'0.1.0');
INSERT INTO "schema_migration" VALUES(5,'audit','c98e22eadc28081478213b19d3c691a6e4c3fa0809c4d75ebbe91a7a36aea3ca',1794940142742,'0.1.0');
INSERT INTO "schema_migration" VALUES(6,'servers','7a64fdea78f8d0d59020d408973ce50d8c1a740036d1cbf2fe89010a01bcdc90',1794940142742,'0.1.0');
INSERT INTO "schema_migration" VALUES(7,'people','b4fa2e66a04ce215edf9e3bab9fe4f0933920da8b562c1abb427a94d63a79815',1794940142742,'0.1.0');
INSERT INTO "schema_migration" VALUES(8,'nudges','e5258a6e17a2afd02ac5818f7578168333756afa7fc9c56f558a8395494bf63c',1794940142742,'0.1.0');
INSERT INTO "schema_migration" VALUES(9,'push','d28aae69be8d683cce8619d595412841a249723bf6f2c56cab0d4f3cc89daffa',1794940142742,'0.1.0');
INSERT INTO "schema_migration" VALUES(10,'rules','4f0dabe9841551264126fb07575a7ac4b4bff37a7dc5595b0cb0e052a7163dde',1794940142742,'0.1.0');
INSERT INTO "schema_migration" VALUES(11,'timing','aa1b71de9212808276bcf7c7d56573313753d4a0ddc0fd25c827bcb3674e08d0',1794940142742,'0.1.0');
INSERT INTO "schema_migration" VALUES(12,'standing','af8e51b68d9cd2f6ee8cdc6cc3b36ad047f9f83b61ad64dcf731f309cfc48a87',1794940142742,'0.1.0');
INSERT INTO "schema_migration" VALUES(13,'confirming','fad3334da6f4f6ad07fb462fd9c2918d65d184c9c4a79884bfd956bddcf6d8bb',1794940142742,'0.1.0');
CREATE TABLE security_event (
    number INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    severity TEXT NOT NULL CHECK (severity IN ('low', 'medium', 'high')),
    -- What is known of it, as JSON.
    details TEXT NOT NULL,
    hash BLOB NOT NULL
) STRICT;
INSERT INTO "security_event" VALUES(1,1794940142870,'file_changed','medium','{"file":"config.yaml","server":"srv_693Y10ZT9C79708BRR2T80FK1P","before":null,"after":"d67e6a49e0a90a2cca4fbc7da3c5271605c88d645bd4136ba8ef898eb1d36c94"}',X'22030BFCADBBB5356AFD15D438AD61F60D3D8823621E63AF8FB5C10B6D217D4A');
CREATE TABLE security_head (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    number INTEGER NOT NULL,
    hash BLOB NOT NULL
) STRICT;
INSERT INTO "security_head" VALUES(1,1,X'22030BFCADBBB5356AFD15D438AD61F60D3D8823621E63AF8FB5C10B6D217D4A');
CREATE TABLE session (
    n INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    owner TEXT NOT NULL,
    external_id TEXT,
    -- 0 for the session that holds the name now, its own `n` for one whose name was taken over.
    superseded INTEGER NOT NULL DEFAULT 0,
    origin TEXT NOT NULL CHECK (origin IN ('named', 'derived', 'restored')),
    restored_from BLOB,
    status TEXT NOT NULL CHECK (status IN ('active', 'completed', 'timeout')),
    round INTEGER NOT NULL,
    total_rounds INTEGER,
    created_at INTEGER NOT NULL,
    last_activity INTEGER NOT NULL,
    last_fingerprint BLOB,
    last_depth INTEGER,
    last_at INTEGER,
    n_open INTEGER NOT NULL
, restore_reason TEXT, last_fact INTEGER, timeout_ms INTEGER, timeout_policy TEXT) STRICT;
INSERT INTO "session" VALUES(1,X'01A1EAC505C27001A9A6F155FF653B0D','local','conversation',0,'named',NULL,'active',4,NULL,1794940143042,1794940145364,X'B810E0DB75629152E4949A7258948671',1,1794940145364,1,NULL,17,NULL,NULL);
INSERT INTO "session" VALUES(2,X'01A1EAC50E3870019F161A3B326AF461','local',NULL,0,'restored',X'01A1EAC505C27001A9A6F155FF653B0D','active',1,NULL,1794940145208,1794940145208,X'1EE8A8921906F20DAF7519783179D978',1,1794940145208,1,NULL,15,NULL,NULL);
INSERT INTO "session" VALUES(3,X'01A1EAC510FA70018DE04EB79298F0DC','local',NULL,0,'named',NULL,'active',0,NULL,1794940145914,1794940145970,NULL,NULL,NULL,0,NULL,23,NULL,NULL);
CREATE TABLE task (
    session INTEGER PRIMARY KEY REFERENCES session (n),
    id BLOB NOT NULL UNIQUE,
    owner TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'done', 'failed', 'stopped', 'interrupted')),
    -- Everything else that is known of it.
    body TEXT NOT NULL,
    -- The message that the next one follows.
    last_message BLOB
, server BLOB) STRICT;
INSERT INTO "task" VALUES(3,X'01A1EAC510FA7000A29D1FF8CD8A8AD9','local','failed','{"task":"task_01M7NCA47TE00A578ZZ36RN2PS","session":"ses_01M7NCA47TE00RVR2EPY99HW6W","owner":"local","agent":"scripted","folder":"/srv","text":"look around","state":"failed","reason":"the agent ended before its work was done (exit status: 98): expected @ANY@\nbut heard {\"type\":\"control_request\",\"request_id\":\"askuser-initialize\",\"request\":{\"subtype\":\"initialize\"}}","n_runs":1,"server":"srv_693Y10ZT9C79708BRR2T80FK1P","created_at":1794940145914,"changed_at":1794940145970}',X'01A1EAC5111C7000A1BEDA7930E3F6BA',X'C91F820FE92C3A4E042F18169007CC36');
CREATE TABLE user (
    n INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    disabled_at INTEGER
) STRICT;
INSERT INTO "user" VALUES(1,'local',1794940142905,NULL);
INSERT INTO "user" VALUES(2,'ben',1794940145671,NULL);
CREATE TABLE watched_file (
    n INTEGER PRIMARY KEY,
    server TEXT NOT NULL,
    name TEXT NOT NULL,
    digest BLOB,
    at INTEGER NOT NULL,
    UNIQUE (server, name)
) STRICT;
INSERT INTO "watched_file" VALUES(1,'srv_693Y10ZT9C79708BRR2T80FK1P','config.yaml',X'D67E6A49E0A90A2CCA4FBC7DA3C5271605C88D645BD4136BA8EF898EB1D36C94',1794940142870);
CREATE UNIQUE INDEX session_name ON session (owner, external_id, superseded) WHERE external_id IS NOT NULL;
CREATE INDEX session_owner ON session (owner);
CREATE INDEX session_counted ON session (owner) WHERE n_open > 0 AND origin <> 'derived';
CREATE INDEX session_live ON session (created_at) WHERE status = 'active';
CREATE INDEX cookie_expiry ON cookie (expires_at);
CREATE INDEX login_link_expiry ON login_link (expires_at);
CREATE INDEX task_owner ON task (owner);
CREATE INDEX task_alive ON task (state) WHERE state IN ('queued', 'running');
CREATE INDEX nudge_receipt ON nudge (person, channel, receipt) WHERE receipt IS NOT NULL;
CREATE INDEX answer_link_expiry ON answer_link (expires_at);
CREATE INDEX browser_user ON browser (user);
CREATE INDEX made_rule_mark ON made_rule (person, mark);
CREATE INDEX ask_open ON ask (owner) WHERE standing = 0;
CREATE INDEX ask_deadline ON ask (deadline) WHERE standing = 0 AND deadline IS NOT NULL;
CREATE INDEX ask_key ON ask (owner, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX ask_unfetched ON ask (session, standing) WHERE standing < 2;
CREATE INDEX ask_ended ON ask (closed) WHERE closed IS NOT NULL AND erased_at IS NULL;
CREATE INDEX ask_for_others ON ask (n) WHERE standing = 0 AND people IS NOT NULL;
COMMIT;
